CREATE TABLE `restores` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`slug` text NOT NULL,
	`state` text NOT NULL,
	`next_part` integer NOT NULL,
	`digest` text NOT NULL,
	`expected_digest` text NOT NULL,
	`notes` text NOT NULL,
	`created_on` integer NOT NULL,
	`touched_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `restores_org` ON `restores` (`org_id`);--> statement-breakpoint
ALTER TABLE `clocks` ADD `commits` integer DEFAULT 0 NOT NULL;