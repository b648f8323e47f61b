CREATE TABLE `file_parts` (
	`file_id` text NOT NULL,
	`part_number` integer NOT NULL,
	`etag` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`file_id`, `part_number`)
);
--> statement-breakpoint
CREATE TABLE `file_uploads` (
	`file_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`upload_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `load_claims` (
	`load_id` text NOT NULL,
	`space` text NOT NULL,
	`key` text NOT NULL,
	`role` text NOT NULL,
	`line` integer NOT NULL,
	`shared` text NOT NULL,
	`own_line` integer,
	`own_shared` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`load_id`, `space`, `key`)
);
--> statement-breakpoint
CREATE TABLE `load_members` (
	`load_id` text NOT NULL,
	`assortment_id` text NOT NULL,
	`item_id` text NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`load_id`, `assortment_id`, `item_id`)
);
--> statement-breakpoint
CREATE TABLE `loads` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`step` integer NOT NULL,
	`attempts` integer NOT NULL,
	`is_cancelled` integer NOT NULL,
	`state` text NOT NULL,
	`touched_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `loads_id_unique` ON `loads` (`id`);--> statement-breakpoint
CREATE INDEX `loads_org` ON `loads` (`org_id`);--> statement-breakpoint
CREATE TABLE `publishes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`assortment_id` text NOT NULL,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`created_by_type` text NOT NULL,
	`adds` integer NOT NULL,
	`updates` integer NOT NULL,
	`deletes` integer NOT NULL,
	`files` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `publishes_id_unique` ON `publishes` (`id`);--> statement-breakpoint
CREATE INDEX `publishes_assortment` ON `publishes` (`org_id`,`assortment_id`);