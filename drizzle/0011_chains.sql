ALTER TABLE `changes` ADD `chain_depth` integer;--> statement-breakpoint
ALTER TABLE `unrecorded_changes` ADD `chain_depth` integer;--> statement-breakpoint
ALTER TABLE `published_events` ADD `chain_depth` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `previous_digest` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `digest` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `latest_on` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_number` ON `audit` (`org_id`,`number`);--> statement-breakpoint
CREATE INDEX `audit_unchained` ON `audit` (`org_id`,`seq`) WHERE number IS NULL;--> statement-breakpoint
CREATE INDEX `audit_latest_on` ON `audit` (`latest_on`);