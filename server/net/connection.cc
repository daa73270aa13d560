#include "server/net/connection.h"

#include <algorithm>

namespace lockstep::net {
namespace {

Connection& of(void* data) { return *static_cast<Connection*>(data); }

}  // namespace

Connection::Connection(ConnectionOwner& owner, uv_loop_t& loop, bool unix_socket) : owner_(owner) {
  if (unix_socket) {
    uv_pipe_init(&loop, &pipe_, 0);
  } else {
    uv_tcp_init(&loop, &tcp_);
  }
  handle_.data = this;
}

int Connection::accept(uv_stream_t& listener) { return uv_accept(&listener, &stream_); }

int Connection::start(SessionId id, Session& session) {
  id_ = id;
  session_ = &session;
  touch();
  return uv_read_start(
      &stream_,
      [](uv_handle_t* handle, size_t, uv_buf_t* slab) { *slab = of(handle->data).owner_.read_slab(); },
      [](uv_stream_t* stream, ssize_t status, const uv_buf_t* slab) { of(stream->data).read(status, *slab); });
}

void Connection::reject(std::string_view text) {
  const uv_buf_t buffer = uv_buf_init(const_cast<char*>(text.data()), static_cast<unsigned>(text.size()));
  uv_try_write(&stream_, &buffer, 1);
  close();
}

void Connection::read(ssize_t status, const uv_buf_t& slab) {
  if (status > 0) {
    touch();
    owner_.received(*this, {slab.base, static_cast<size_t>(status)});
  } else if (status < 0) {
    flush();  // replies to what came together with the end
    close();
  }
}

void Connection::flush() {
  if (session_ == nullptr) return;
  const bool cut_off = session_->state().cut_off;
  if (pending_write_) return cut_off ? close() : void();
  const std::string_view output = session_->output();
  if (!output.empty()) {
    uv_buf_t buffer{};
    buffer.base = const_cast<char*>(output.data());
    buffer.len = output.size();
    const int status = uv_try_write(&stream_, &buffer, 1);
    if (status < 0 && status != UV_EAGAIN) return close();
    const auto written = static_cast<size_t>(std::max(status, 0));
    if (written > 0) {
      touch();  // it may have waited for this for long
      consume(written);
    }
    if (written < output.size() && !cut_off) return write_later();
  }
  if (cut_off) return close();
  if (session_->wants_close() && session_->output_bytes() == 0) close();
}

void Connection::write_later() {
  pending_write_ = std::make_unique<PendingWrite>();
  const size_t size = session_->output().copy(pending_write_->bytes, PendingWrite::kBytes);
  consume(size);
  pending_write_->request.data = this;
  const uv_buf_t buffer = uv_buf_init(pending_write_->bytes, static_cast<unsigned>(size));
  const int status = uv_write(&pending_write_->request, &stream_, &buffer, 1,
                              [](uv_write_t* request, int result) { of(request->data).written(result); });
  if (status != 0) close();
}

void Connection::consume(size_t bytes) {
  touch();
  owner_.sent(bytes);
  session_->consume(bytes);
}

void Connection::written(int status) {
  pending_write_.reset();
  if (status != 0) return close();
  touch();
  flush();
}

void Connection::close() {
  if (uv_is_closing(&handle_)) return;
  if (session_ != nullptr) owner_.closing(*this);
  session_ = nullptr;
  uv_close(&handle_, [](uv_handle_t* handle) {
    Connection& connection = of(handle->data);
    connection.owner_.closed(connection);
  });
}

int Connection::descriptor() const {
  uv_os_fd_t descriptor = -1;
  return uv_fileno(&handle_, &descriptor) == 0 ? descriptor : -1;
}

}  // namespace lockstep::net
