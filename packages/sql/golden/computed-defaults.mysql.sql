-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Event` (
  `eventId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT (UUID()) NOT NULL CHECK (`eventId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `title` LONGTEXT,
  `heard` DATETIME(6) DEFAULT (UTC_TIMESTAMP(6)) NOT NULL COMMENT '[UTC]' CHECK (YEAR(`heard`) * MONTH(`heard`) * DAY(`heard`) > 0),
  `stored` DATETIME(6) DEFAULT (UTC_TIMESTAMP(6)) NOT NULL CHECK (YEAR(`stored`) * MONTH(`stored`) * DAY(`stored`) > 0),
  `opens` DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) NOT NULL CHECK (YEAR(`opens`) * MONTH(`opens`) * DAY(`opens`) > 0),
  `day` DATE DEFAULT (CURRENT_DATE) NOT NULL CHECK (YEAR(`day`) * MONTH(`day`) * DAY(`day`) > 0),
  `token` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT (UUID()) CHECK (`token` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `hour` TIME(6) CHECK (`hour` BETWEEN '00:00:00' AND '23:59:59.999999'),
  `dayText` LONGTEXT,
  CONSTRAINT `pk_Event` PRIMARY KEY (`eventId`),
  CONSTRAINT `uq_Event_stored` UNIQUE (`stored`),
  CONSTRAINT `uq_Event_token` UNIQUE (`token`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Seat` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `eventId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`eventId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  CONSTRAINT `pk_Seat` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Event` ADD INDEX `ix_Event_opens` (`opens`);

ALTER TABLE `Seat` ADD INDEX `ix_Seat_eventId` (`eventId`);

ALTER TABLE `Seat` ADD CONSTRAINT `fk_Seat_eventId` FOREIGN KEY (`eventId`) REFERENCES `Event` (`eventId`) ON DELETE RESTRICT;

-- 2 notes: differences of this schema from the model.
-- Event.hour: The default value of 'hour' does not fit its column: it is left out.
-- Event.dayText: The default value of 'dayText' does not fit its column: it is left out.
