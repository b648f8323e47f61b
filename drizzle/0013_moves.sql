CREATE TABLE `moves` (
	`org_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`epoch` integer NOT NULL,
	`phase` text NOT NULL,
	`step` integer NOT NULL,
	`notes` text NOT NULL,
	`error` text,
	`started_on` integer NOT NULL,
	`touched_on` integer NOT NULL,
	`stopped_on` integer,
	`ended_on` integer
);
--> statement-breakpoint
CREATE TABLE `old_copies` (
	`org_id` text NOT NULL,
	`database` text NOT NULL,
	`sweep_on` integer NOT NULL,
	PRIMARY KEY(`org_id`, `database`)
);
--> statement-breakpoint
CREATE INDEX `old_copies_sweep_on` ON `old_copies` (`sweep_on`);--> statement-breakpoint
CREATE TABLE `position_ranges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`database` text NOT NULL,
	`created_on` integer NOT NULL,
	`reserved_on` integer
);
--> statement-breakpoint
ALTER TABLE `clocks` ADD `move_step` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orgs` ADD `moving` integer DEFAULT false NOT NULL;