CREATE TABLE `dead_letters` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`wake_up` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_id` ON `dead_letters` (`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_org` ON `dead_letters` (`org_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_created_on` ON `dead_letters` (`created_on`);