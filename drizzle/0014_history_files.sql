CREATE TABLE `history_file_entities` (
	`seq` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`records` integer NOT NULL,
	`detail_bytes` integer NOT NULL,
	`changed_on` integer NOT NULL,
	`changed_by_id` text NOT NULL,
	`made_on` integer,
	`made_by_id` text
);
--> statement-breakpoint
CREATE INDEX `history_file_entities_entity` ON `history_file_entities` (`entity_id`);--> statement-breakpoint
CREATE INDEX `history_file_entities_org` ON `history_file_entities` (`org_id`);--> statement-breakpoint
CREATE TABLE `history_files` (
	`org_id` text NOT NULL,
	`last_seq` integer NOT NULL,
	`first_seq` integer NOT NULL,
	`first_on` integer NOT NULL,
	`last_on` integer NOT NULL,
	`records` integer NOT NULL,
	`line_bytes` integer NOT NULL,
	`packed_bytes` integer NOT NULL,
	`object_id` text NOT NULL,
	`digest` text NOT NULL,
	`entity_types` text NOT NULL,
	PRIMARY KEY(`org_id`, `last_seq`)
);
--> statement-breakpoint
ALTER TABLE `clocks` ADD `filed_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clocks` ADD `types_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orgs` ADD `history_archive_days` integer;