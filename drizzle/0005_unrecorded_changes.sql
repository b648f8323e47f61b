CREATE TABLE `unrecorded_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`change_type` text NOT NULL,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`created_by_type` text NOT NULL,
	`version` integer NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unrecorded_entity` ON `unrecorded_changes` (`org_id`,`entity_type`,`entity_id`);--> statement-breakpoint
CREATE INDEX `unrecorded_maker` ON `unrecorded_changes` (`org_id`,`created_by_id`);--> statement-breakpoint
CREATE INDEX `unrecorded_created_on` ON `unrecorded_changes` (`created_on`);