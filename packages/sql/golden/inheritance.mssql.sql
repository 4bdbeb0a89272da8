-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [CdmEntity] (
  [createdOn] DATETIME2(6) NULL,
  [version] BIGINT NOT NULL
);

CREATE TABLE [account] (
  [createdOn] DATETIME2(6) NULL,
  [version] BIGINT NOT NULL,
  [accountId] BIGINT IDENTITY(1,1) NOT NULL,
  [Name] NVARCHAR(200) COLLATE Latin1_General_100_BIN2 NULL,
  [rank] BIGINT NOT NULL,
  CONSTRAINT [pk_account] PRIMARY KEY ([accountId])
);

CREATE TABLE [Order] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [accountId] BIGINT NULL,
  CONSTRAINT [pk_Order] PRIMARY KEY ([id])
);

CREATE TABLE [SpecialOrder] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [accountId] BIGINT NULL,
  [reason] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
  CONSTRAINT [pk_SpecialOrder] PRIMARY KEY ([id])
);

CREATE TABLE [User] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  CONSTRAINT [pk_User] PRIMARY KEY ([id])
);

CREATE INDEX [ix_Order_accountId] ON [Order] ([accountId]);

CREATE INDEX [ix_SpecialOrder_accountId] ON [SpecialOrder] ([accountId]);

ALTER TABLE [Order] ADD CONSTRAINT [fk_Order_accountId] FOREIGN KEY ([accountId]) REFERENCES [account] ([accountId]);

ALTER TABLE [SpecialOrder] ADD CONSTRAINT [fk_SpecialOrder_accountId] FOREIGN KEY ([accountId]) REFERENCES [account] ([accountId]);

-- 3 notes: differences of this schema from the model.
-- CdmEntity: 'CdmEntity' has no primary key: its table has none.
-- Group: 'Group' has no attributes: it gets no table.
-- account.Name: The length of 'Name' is counted in UTF-16 units on this database: an emoji counts as two characters.
