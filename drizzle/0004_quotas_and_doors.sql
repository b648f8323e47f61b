CREATE TABLE `tombstones` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_on` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_ons` (
	`org_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_on` integer NOT NULL,
	PRIMARY KEY(`org_id`, `issuer`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ons_user` ON `sign_ons` (`org_id`,`issuer`,`user_id`);--> statement-breakpoint
ALTER TABLE `clocks` ADD `entities` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clocks` ADD `quotas` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `sealed_old_secret` text;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `old_secret_until` integer;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `allowed_for` text DEFAULT 'both' NOT NULL;--> statement-breakpoint
ALTER TABLE `credentials` ADD `entity_types` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `addresses` text;--> statement-breakpoint
CREATE INDEX `file_parts_org` ON `file_parts` (`org_id`);--> statement-breakpoint
UPDATE `clocks` SET `entities` = (SELECT count(*) FROM `entities` WHERE `entities`.`org_id` = `clocks`.`org_id` AND `kind` NOT IN ('file', 'loader-process', 'event-workflow-process', 'event-workflow-task'));
