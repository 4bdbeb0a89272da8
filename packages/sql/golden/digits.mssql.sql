-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Account] (
  [number] NUMERIC(20) NOT NULL,
  [owner] NVARCHAR(40) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [holder] UNIQUEIDENTIFIER NOT NULL,
  [small] NUMERIC(4) DEFAULT 9999 NULL,
  [long] NUMERIC(18) DEFAULT -999999999999999999 NULL,
  [longer] NUMERIC(19) NULL,
  [longest] NUMERIC(38) DEFAULT 99999999999999999999999999999999999999 NULL,
  [tooLong] NUMERIC(3) NULL,
  [decimal] DECIMAL(20, 0) NULL,
  CONSTRAINT [pk_Account] PRIMARY KEY ([number]),
  CONSTRAINT [uq_Account_long] UNIQUE ([long]),
  CONSTRAINT [ck_Account_longer] CHECK ([longer] IN (1, 9223372036854775808))
);

CREATE TABLE [Line] (
  [id] NUMERIC(9) NOT NULL,
  [accountNumber] NUMERIC(20) NULL,
  [byLong] NUMERIC(18) NULL,
  CONSTRAINT [pk_Line] PRIMARY KEY ([id])
);

CREATE INDEX [ix_Account_longer] ON [Account] ([longer]);

CREATE INDEX [ix_Line_accountNumber] ON [Line] ([accountNumber]);

CREATE INDEX [ix_Line_byLong] ON [Line] ([byLong]);

ALTER TABLE [Line] ADD CONSTRAINT [fk_Line_accountNumber] FOREIGN KEY ([accountNumber]) REFERENCES [Account] ([number]);

ALTER TABLE [Line] ADD CONSTRAINT [fk_Line_byLong] FOREIGN KEY ([byLong]) REFERENCES [Account] ([long]);

-- 5 notes: differences of this schema from the model.
-- Account.number: The values of the key 'number' are not generated: databases generate no integers with a precision.
-- Account.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Line.id: The values of the key 'id' are not generated: databases generate no integers with a precision.
-- Account.long: 'long' is unique and referenced: SQL Server allows only one row without a value.
-- Account.owner: The length of 'owner' is counted in UTF-16 units on this database: an emoji counts as two characters.
