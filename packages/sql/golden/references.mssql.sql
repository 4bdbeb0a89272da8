-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Person] (
  [personId] UNIQUEIDENTIFIER NOT NULL,
  [email] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [city] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [employerId] BIGINT NULL,
  [managerId] UNIQUEIDENTIFIER NULL,
  [countryCode] NVARCHAR(2) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_Person] PRIMARY KEY ([personId]),
  CONSTRAINT [uq_Person_email] UNIQUE ([email])
);

CREATE TABLE [Company] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [ownerId] UNIQUEIDENTIFIER NULL,
  [contactEmail] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [city] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [strangerId] INT NULL,
  [goneId] BIGINT NULL,
  [nobodyId] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  [partyId] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NULL,
  CONSTRAINT [pk_Company] PRIMARY KEY ([id])
);

CREATE TABLE [Passport] (
  [number] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [holderId] UNIQUEIDENTIFIER NOT NULL,
  CONSTRAINT [pk_Passport] PRIMARY KEY ([holderId]),
  CONSTRAINT [uq_Passport_number] UNIQUE ([number])
);

CREATE TABLE [Visa] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [passportId] UNIQUEIDENTIFIER NULL,
  [clerkId] UNIQUEIDENTIFIER NOT NULL,
  CONSTRAINT [pk_Visa] PRIMARY KEY ([id])
);

CREATE TABLE [Country] (
  [code] NVARCHAR(2) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_Country] PRIMARY KEY ([code])
);

CREATE INDEX [ix_Person_employerId] ON [Person] ([employerId]);

CREATE INDEX [ix_Person_managerId] ON [Person] ([managerId]);

CREATE INDEX [ix_Person_countryCode] ON [Person] ([countryCode]);

CREATE UNIQUE INDEX [uq_Company_contactEmail] ON [Company] ([contactEmail]) WHERE [contactEmail] IS NOT NULL;

CREATE INDEX [ix_Company_ownerId] ON [Company] ([ownerId]);

CREATE INDEX [ix_Company_city] ON [Company] ([city]);

CREATE INDEX [ix_Company_strangerId] ON [Company] ([strangerId]);

CREATE INDEX [ix_Company_goneId] ON [Company] ([goneId]);

CREATE INDEX [ix_Company_nobodyId] ON [Company] ([nobodyId]);

CREATE INDEX [ix_Company_partyId] ON [Company] ([partyId]);

CREATE INDEX [ix_Visa_passportId] ON [Visa] ([passportId]);

CREATE INDEX [ix_Visa_clerkId] ON [Visa] ([clerkId]);

ALTER TABLE [Person] ADD CONSTRAINT [fk_Person_employerId] FOREIGN KEY ([employerId]) REFERENCES [Company] ([id]) ON DELETE SET NULL;

ALTER TABLE [Person] ADD CONSTRAINT [fk_Person_managerId] FOREIGN KEY ([managerId]) REFERENCES [Person] ([personId]);

ALTER TABLE [Person] ADD CONSTRAINT [fk_Person_countryCode] FOREIGN KEY ([countryCode]) REFERENCES [Country] ([code]);

ALTER TABLE [Company] ADD CONSTRAINT [fk_Company_ownerId] FOREIGN KEY ([ownerId]) REFERENCES [Person] ([personId]);

ALTER TABLE [Company] ADD CONSTRAINT [fk_Company_contactEmail] FOREIGN KEY ([contactEmail]) REFERENCES [Person] ([email]);

ALTER TABLE [Passport] ADD CONSTRAINT [fk_Passport_holderId] FOREIGN KEY ([holderId]) REFERENCES [Person] ([personId]) ON DELETE CASCADE;

ALTER TABLE [Visa] ADD CONSTRAINT [fk_Visa_passportId] FOREIGN KEY ([passportId]) REFERENCES [Passport] ([holderId]);

ALTER TABLE [Visa] ADD CONSTRAINT [fk_Visa_clerkId] FOREIGN KEY ([clerkId]) REFERENCES [Person] ([personId]);

-- 22 notes: differences of this schema from the model.
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
-- Person.email: 'email' is unique and referenced: SQL Server allows only one row without a value.
-- Person.email: The length of 'email' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Person.email: 'email' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Person.city: The length of 'city' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Company.contactEmail: 'contactEmail' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Passport.number: The length of 'number' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Passport.number: 'number' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Country.code: The length of 'code' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Country.code: 'code' is unique, and this database treats values that differ only in trailing spaces as equal.
-- Person.managerId: Deleting what 'managerId' refers to is refused: SQL Server allows no cycles and no second path of cascading deletes.
-- Company.ownerId: Deleting what 'ownerId' refers to is refused: SQL Server allows no cycles and no second path of cascading deletes.
