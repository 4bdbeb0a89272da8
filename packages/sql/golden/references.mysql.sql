-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Person` (
  `personId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL CHECK (`personId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `email` VARCHAR(255),
  `city` VARCHAR(255),
  `employerId` BIGINT,
  `managerId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`managerId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `countryCode` VARCHAR(2) NOT NULL,
  CONSTRAINT `pk_Person` PRIMARY KEY (`personId`),
  CONSTRAINT `uq_Person_email` UNIQUE (`email`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Company` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `ownerId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`ownerId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `contactEmail` VARCHAR(255),
  `city` VARCHAR(255),
  `strangerId` INTEGER,
  `goneId` BIGINT,
  `nobodyId` VARCHAR(255),
  `partyId` VARCHAR(255),
  CONSTRAINT `pk_Company` PRIMARY KEY (`id`),
  CONSTRAINT `uq_Company_contactEmail` UNIQUE (`contactEmail`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Passport` (
  `number` VARCHAR(255) NOT NULL,
  `holderId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL CHECK (`holderId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  CONSTRAINT `pk_Passport` PRIMARY KEY (`holderId`),
  CONSTRAINT `uq_Passport_number` UNIQUE (`number`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Visa` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `passportId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`passportId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `clerkId` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL CHECK (`clerkId` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  CONSTRAINT `pk_Visa` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Country` (
  `code` VARCHAR(2) NOT NULL,
  CONSTRAINT `pk_Country` PRIMARY KEY (`code`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Person`
  ADD INDEX `ix_Person_employerId` (`employerId`),
  ADD INDEX `ix_Person_managerId` (`managerId`),
  ADD INDEX `ix_Person_countryCode` (`countryCode`);

ALTER TABLE `Company`
  ADD INDEX `ix_Company_ownerId` (`ownerId`),
  ADD INDEX `ix_Company_city` (`city`),
  ADD INDEX `ix_Company_strangerId` (`strangerId`),
  ADD INDEX `ix_Company_goneId` (`goneId`),
  ADD INDEX `ix_Company_nobodyId` (`nobodyId`),
  ADD INDEX `ix_Company_partyId` (`partyId`);

ALTER TABLE `Visa`
  ADD INDEX `ix_Visa_passportId` (`passportId`),
  ADD INDEX `ix_Visa_clerkId` (`clerkId`);

ALTER TABLE `Person`
  ADD CONSTRAINT `fk_Person_employerId` FOREIGN KEY (`employerId`) REFERENCES `Company` (`id`) ON DELETE SET NULL,
  ADD CONSTRAINT `fk_Person_managerId` FOREIGN KEY (`managerId`) REFERENCES `Person` (`personId`) ON DELETE CASCADE,
  ADD CONSTRAINT `fk_Person_countryCode` FOREIGN KEY (`countryCode`) REFERENCES `Country` (`code`) ON DELETE RESTRICT;

ALTER TABLE `Company`
  ADD CONSTRAINT `fk_Company_ownerId` FOREIGN KEY (`ownerId`) REFERENCES `Person` (`personId`) ON DELETE CASCADE,
  ADD CONSTRAINT `fk_Company_contactEmail` FOREIGN KEY (`contactEmail`) REFERENCES `Person` (`email`) ON DELETE RESTRICT;

ALTER TABLE `Passport` ADD CONSTRAINT `fk_Passport_holderId` FOREIGN KEY (`holderId`) REFERENCES `Person` (`personId`) ON DELETE CASCADE;

ALTER TABLE `Visa`
  ADD CONSTRAINT `fk_Visa_passportId` FOREIGN KEY (`passportId`) REFERENCES `Passport` (`holderId`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Visa_clerkId` FOREIGN KEY (`clerkId`) REFERENCES `Person` (`personId`) ON DELETE RESTRICT;

-- 12 notes: differences of this schema from the model.
-- Person.email: 'email' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Person.city: 'city' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Company.nobodyId: 'nobodyId' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Company.partyId: 'partyId' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Company.city: 'city' refers to 'Person.city', which is neither the primary key nor unique: the column has no constraint.
-- Company.strangerId: 'strangerId' refers to 'Stranger', which is outside the manifest: the column has no constraint.
-- Company.goneId: 'goneId' refers to 'Person.gone', which does not exist: the column has no constraint.
-- Company.nobodyId: 'nobodyId' refers to 'Nobody', which does not exist: the column has no constraint.
-- Company.partyId: 'partyId' may refer to more than one entity: the column has no constraint.
-- Passport.number: 'number' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Visa.clerkId: 'clerkId' must have a value: deleting what it refers to is refused instead of clearing it.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
