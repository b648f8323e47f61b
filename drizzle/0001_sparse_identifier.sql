DROP TABLE `load_claims`;--> statement-breakpoint
DROP INDEX `entities_identifier`;--> statement-breakpoint
CREATE UNIQUE INDEX `entities_identifier` ON `entities` (`org_id`,`kind`,`identifier`) WHERE identifier IS NOT NULL;