-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Account` (
  `number` NUMERIC(20) NOT NULL,
  `owner` VARCHAR(40) NOT NULL,
  `holder` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL CHECK (`holder` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `small` NUMERIC(4) DEFAULT 9999,
  `long` NUMERIC(18) DEFAULT -999999999999999999,
  `longer` NUMERIC(19),
  `longest` NUMERIC(38) DEFAULT 99999999999999999999999999999999999999,
  `tooLong` NUMERIC(3),
  `decimal` DECIMAL(20, 0),
  CONSTRAINT `pk_Account` PRIMARY KEY (`number`),
  CONSTRAINT `uq_Account_long` UNIQUE (`long`),
  CONSTRAINT `ck_Account_longer` CHECK (`longer` IN (1, 9223372036854775808))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Line` (
  `id` NUMERIC(9) NOT NULL,
  `accountNumber` NUMERIC(20),
  `byLong` NUMERIC(18),
  CONSTRAINT `pk_Line` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Account` ADD INDEX `ix_Account_longer` (`longer`);

ALTER TABLE `Line`
  ADD INDEX `ix_Line_accountNumber` (`accountNumber`),
  ADD INDEX `ix_Line_byLong` (`byLong`);

ALTER TABLE `Line`
  ADD CONSTRAINT `fk_Line_accountNumber` FOREIGN KEY (`accountNumber`) REFERENCES `Account` (`number`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Line_byLong` FOREIGN KEY (`byLong`) REFERENCES `Account` (`long`) ON DELETE RESTRICT;

-- 4 notes: differences of this schema from the model.
-- Account.number: The values of the key 'number' are not generated: databases generate no integers with a precision.
-- Account.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Line.id: The values of the key 'id' are not generated: databases generate no integers with a precision.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
