CREATE TABLE `search_entities` (
	`seq` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`version` integer NOT NULL,
	`generation` integer NOT NULL,
	`words` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `search_entities_org` ON `search_entities` (`org_id`);--> statement-breakpoint
CREATE TABLE `search_progress` (
	`org_id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`rules` integer NOT NULL,
	`positions` text NOT NULL,
	`time` integer NOT NULL
);

--> statement-breakpoint
CREATE VIRTUAL TABLE `search_index` USING fts5(`terms`, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_.+'");
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_terms` USING fts5vocab(`search_index`, instance);
--> statement-breakpoint
CREATE TRIGGER `search_entity_deleted` AFTER DELETE ON `entities` BEGIN DELETE FROM `search_entities` WHERE `seq` = OLD.`seq`; END;
--> statement-breakpoint
CREATE TRIGGER `search_words_deleted` AFTER DELETE ON `search_entities` BEGIN DELETE FROM `search_index` WHERE rowid = OLD.`seq`; END;
