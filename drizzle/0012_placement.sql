ALTER TABLE `clocks` ADD `state` text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE `clocks` ADD `epoch` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `orgs` ADD `database` text DEFAULT 'DB' NOT NULL;--> statement-breakpoint
ALTER TABLE `orgs` ADD `epoch` integer DEFAULT 1 NOT NULL;