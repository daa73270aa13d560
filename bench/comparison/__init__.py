"""What bench/compare is made of: servers side by side, measured in turns."""
