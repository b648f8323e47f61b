CREATE TABLE `deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`endpoint_name` text NOT NULL,
	`trigger_key` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_on` integer NOT NULL,
	`ends_on` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`created_on` integer NOT NULL,
	`ended_on` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_endpoint` ON `deliveries` (`org_id`,`endpoint_name`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`org_id`,`status`,`due_on`);--> statement-breakpoint
CREATE INDEX `deliveries_created_on` ON `deliveries` (`created_on`);--> statement-breakpoint
CREATE TABLE `endpoints` (
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`include_loads` integer NOT NULL,
	`auth_kind` text NOT NULL,
	`header_name` text,
	`sealed_secret` text,
	`base_url` text NOT NULL,
	`created_on` integer NOT NULL,
	`updated_on` integer NOT NULL,
	PRIMARY KEY(`org_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `published_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`trigger_key` text NOT NULL,
	`event` text NOT NULL,
	`created_by_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `published_events_id` ON `published_events` (`id`);--> statement-breakpoint
CREATE INDEX `published_events_org` ON `published_events` (`org_id`);--> statement-breakpoint
CREATE TABLE `task_acts` (
	`task_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`target_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_acts_org` ON `task_acts` (`org_id`);--> statement-breakpoint
CREATE INDEX `task_acts_created_on` ON `task_acts` (`created_on`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`digest` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_secrets_org` ON `webhook_secrets` (`org_id`);--> statement-breakpoint
ALTER TABLE `clocks` ADD `heard_seq` integer;--> statement-breakpoint
CREATE INDEX `changes_unloaded` ON `changes` (`org_id`) WHERE created_by_type <> 'loader';