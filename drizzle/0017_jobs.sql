CREATE TABLE `directory_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`lane` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`phase` text GENERATED ALWAYS AS (state ->> '$.phase') VIRTUAL,
	`step` integer NOT NULL,
	`attempts` integer NOT NULL,
	`failures` integer NOT NULL,
	`is_cancelled` integer NOT NULL,
	`wake_on` integer NOT NULL,
	`touched_on` integer NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `directory_jobs_lane` ON `directory_jobs` (`org_id`,`lane`,`seq`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`lane` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`phase` text GENERATED ALWAYS AS (state ->> '$.phase') VIRTUAL,
	`step` integer NOT NULL,
	`attempts` integer NOT NULL,
	`failures` integer NOT NULL,
	`is_cancelled` integer NOT NULL,
	`wake_on` integer NOT NULL,
	`touched_on` integer NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_lane` ON `jobs` (`org_id`,`lane`,`seq`);