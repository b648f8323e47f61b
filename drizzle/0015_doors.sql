CREATE INDEX `attempts_failed_on` ON `attempts` (`last_on`) WHERE failures > 0;--> statement-breakpoint
CREATE INDEX `attempts_known_on` ON `attempts` (`last_on`) WHERE failures = 0;