// A process that takes a lock without a lease and holds it until it is killed. Started by HandOverTest.
package lockstep.redisson;

import org.redisson.Redisson;
import org.redisson.config.Config;

public final class HolderProcess {
    private HolderProcess() {}

    /** Address, name of the lock, milliseconds of the watchdog. */
    public static void main(String[] arguments) throws InterruptedException {
        Config config = new Config().setLockWatchdogTimeout(Long.parseLong(arguments[2]));
        config.useSingleServer().setAddress(arguments[0]);
        Redisson.create(config).getLock(arguments[1]).lock();
        System.out.println("holds it");
        Thread.sleep(60_000); // should the test be killed first
        System.exit(1);
    }
}
