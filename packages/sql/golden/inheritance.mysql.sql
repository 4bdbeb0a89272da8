-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `CdmEntity` (
  `createdOn` DATETIME(6) CHECK (YEAR(`createdOn`) * MONTH(`createdOn`) * DAY(`createdOn`) > 0),
  `version` BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `account` (
  `createdOn` DATETIME(6) CHECK (YEAR(`createdOn`) * MONTH(`createdOn`) * DAY(`createdOn`) > 0),
  `version` BIGINT NOT NULL,
  `accountId` BIGINT AUTO_INCREMENT NOT NULL,
  `Name` VARCHAR(200),
  `rank` BIGINT NOT NULL,
  CONSTRAINT `pk_account` PRIMARY KEY (`accountId`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Order` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `accountId` BIGINT,
  CONSTRAINT `pk_Order` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `SpecialOrder` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `accountId` BIGINT,
  `reason` LONGTEXT NOT NULL,
  CONSTRAINT `pk_SpecialOrder` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `User` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_User` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Order` ADD INDEX `ix_Order_accountId` (`accountId`);

ALTER TABLE `SpecialOrder` ADD INDEX `ix_SpecialOrder_accountId` (`accountId`);

ALTER TABLE `Order` ADD CONSTRAINT `fk_Order_accountId` FOREIGN KEY (`accountId`) REFERENCES `account` (`accountId`) ON DELETE RESTRICT;

ALTER TABLE `SpecialOrder` ADD CONSTRAINT `fk_SpecialOrder_accountId` FOREIGN KEY (`accountId`) REFERENCES `account` (`accountId`) ON DELETE RESTRICT;

-- 3 notes: differences of this schema from the model.
-- CdmEntity: 'CdmEntity' has no primary key: its table has none.
-- Group: 'Group' has no attributes: it gets no table.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
