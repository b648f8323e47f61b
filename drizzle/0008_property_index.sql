CREATE TABLE `property_indexes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`property` text NOT NULL,
	`path` text NOT NULL,
	`state` text NOT NULL,
	`filled_time` integer DEFAULT 0 NOT NULL,
	`filled_seq` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer,
	`lists` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `property_indexes_kind` ON `property_indexes` (`org_id`,`kind`);--> statement-breakpoint
CREATE UNIQUE INDEX `property_indexes_property` ON `property_indexes` (`org_id`,`kind`,`property`) WHERE state <> 'dropping';--> statement-breakpoint
CREATE TABLE `property_values` (
	`seq` integer NOT NULL,
	`index_id` integer NOT NULL,
	`value` blob NOT NULL,
	`folded` text,
	`is_list` integer NOT NULL,
	PRIMARY KEY(`seq`, `index_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `property_values_value` ON `property_values` (`index_id`,`value`,`seq`);--> statement-breakpoint
CREATE INDEX `property_values_folded` ON `property_values` (`index_id`,`folded`,`seq`) WHERE folded IS NOT NULL;
--> statement-breakpoint
CREATE VIEW `property_values_of` AS SELECT e.`seq` AS `seq`, p.`id` AS `index_id`,
	CASE json_type(e.`data`, p.`path`)
		WHEN 'text' THEN iif(length(e.`data` ->> p.`path`) > 200, substr(e.`data` ->> p.`path`, 1, 200) || char(1114111), e.`data` ->> p.`path`)
		WHEN 'integer' THEN e.`data` ->> p.`path`
		WHEN 'real' THEN e.`data` ->> p.`path`
		WHEN 'false' THEN char(1114110, 48)
		WHEN 'true' THEN char(1114110, 49)
		ELSE x'ff' END AS `value`,
	CASE json_type(e.`data`, p.`path`) WHEN 'text' THEN replace(replace(lower(substr(e.`data` ->> p.`path`, 1, 50)), char(383), 's'), char(8490), 'k') END AS `folded`,
	coalesce(json_type(e.`data`, p.`path`) IN ('array', 'object'), 0) AS `is_list`
	FROM `entities` e CROSS JOIN `property_indexes` p ON p.`org_id` = e.`org_id` AND p.`kind` = e.`kind` AND p.`state` <> 'dropping';
--> statement-breakpoint
CREATE TRIGGER `property_values_created` AFTER INSERT ON `entities` WHEN EXISTS (SELECT 1 FROM `property_indexes` WHERE `org_id` = NEW.`org_id` AND `kind` = NEW.`kind`) BEGIN INSERT INTO `property_values` (`seq`, `index_id`, `value`, `folded`, `is_list`) SELECT `seq`, `index_id`, `value`, `folded`, `is_list` FROM `property_values_of` WHERE `seq` = NEW.`seq`; END;
--> statement-breakpoint
CREATE TRIGGER `property_values_updated` AFTER UPDATE OF `data` ON `entities` WHEN EXISTS (SELECT 1 FROM `property_indexes` WHERE `org_id` = NEW.`org_id` AND `kind` = NEW.`kind`) BEGIN INSERT INTO `property_values` (`seq`, `index_id`, `value`, `folded`, `is_list`) SELECT `seq`, `index_id`, `value`, `folded`, `is_list` FROM `property_values_of` WHERE `seq` = NEW.`seq` ON CONFLICT (`seq`, `index_id`) DO UPDATE SET `value` = excluded.`value`, `folded` = excluded.`folded`, `is_list` = excluded.`is_list` WHERE `value` IS NOT excluded.`value` OR `is_list` <> excluded.`is_list`; END;
--> statement-breakpoint
CREATE TRIGGER `property_values_deleted` AFTER DELETE ON `entities` BEGIN DELETE FROM `property_values` WHERE `seq` = OLD.`seq`; END;
--> statement-breakpoint
CREATE TRIGGER `property_list_added` AFTER INSERT ON `property_values` WHEN NEW.`is_list` BEGIN UPDATE `property_indexes` SET `lists` = `lists` + 1 WHERE `id` = NEW.`index_id`; END;
--> statement-breakpoint
CREATE TRIGGER `property_list_changed` AFTER UPDATE ON `property_values` WHEN NEW.`is_list` <> OLD.`is_list` BEGIN UPDATE `property_indexes` SET `lists` = `lists` + NEW.`is_list` - OLD.`is_list` WHERE `id` = NEW.`index_id`; END;
--> statement-breakpoint
CREATE TRIGGER `property_list_removed` AFTER DELETE ON `property_values` WHEN OLD.`is_list` BEGIN UPDATE `property_indexes` SET `lists` = `lists` - 1 WHERE `id` = OLD.`index_id`; END;
