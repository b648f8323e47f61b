ALTER TABLE `deliveries` ADD `depth` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `endpoints` ADD `loads_after_seq` integer DEFAULT 0 NOT NULL;