ALTER TABLE `clocks` ADD `listens_to` text;--> statement-breakpoint
UPDATE `clocks` SET `listens_to` = '*' WHERE `heard_seq` IS NOT NULL;
