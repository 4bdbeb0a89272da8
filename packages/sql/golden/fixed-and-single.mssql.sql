-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Currency] (
  [code] NCHAR(3) COLLATE Latin1_General_100_BIN2 NOT NULL CHECK (DATALENGTH(RTRIM([code])) / 2 = 3),
  [sign] NCHAR(1) COLLATE Latin1_General_100_BIN2 DEFAULT N'€' NULL CHECK (DATALENGTH(RTRIM([sign])) / 2 = 1),
  [number] NCHAR(255) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH(RTRIM([number])) / 2 = 255),
  [face] NCHAR(2) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH(RTRIM([face])) / 2 = 2),
  [short] NCHAR(3) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH(RTRIM([short])) / 2 = 3),
  [spaced] NCHAR(3) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH(RTRIM([spaced])) / 2 = 3),
  [long] NVARCHAR(256) COLLATE Latin1_General_100_BIN2 NULL,
  [rate] REAL DEFAULT 0.1 NULL,
  [step] REAL NULL,
  [tooLarge] REAL NULL,
  [exact] DECIMAL(5, 2) NULL,
  CONSTRAINT [pk_Currency] PRIMARY KEY ([code]),
  CONSTRAINT [ck_Currency_sign] CHECK ([sign] IN (N'€', N'$') AND [sign] NOT LIKE N'% '),
  CONSTRAINT [ck_Currency_step] CHECK ([step] IN (0.5, 0.10000000149011612))
);

CREATE TABLE [Price] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [currency] NCHAR(3) COLLATE Latin1_General_100_BIN2 NULL CHECK (DATALENGTH(RTRIM([currency])) / 2 = 3),
  CONSTRAINT [pk_Price] PRIMARY KEY ([id])
);

CREATE UNIQUE INDEX [uq_Currency_number] ON [Currency] ([number]) WHERE [number] IS NOT NULL;

CREATE INDEX [ix_Currency_step] ON [Currency] ([step]);

CREATE INDEX [ix_Price_currency] ON [Price] ([currency]);

ALTER TABLE [Price] ADD CONSTRAINT [fk_Price_currency] FOREIGN KEY ([currency]) REFERENCES [Currency] ([code]);

-- 10 notes: differences of this schema from the model.
-- Currency.short: The default value of 'short' does not fit its column: it is left out.
-- Currency.tooLarge: The default value of 'tooLarge' does not fit its column: it is left out.
-- Currency.spaced: The choices of 'spaced' do not fit its data type: they are not checked.
-- Currency.face: The default value of 'face' does not fit its column: it is left out.
-- Currency.code: The length of 'code' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Currency.number: The length of 'number' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Currency.face: The length of 'face' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Currency.short: The length of 'short' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Currency.spaced: The length of 'spaced' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Currency.long: The length of 'long' is counted in UTF-16 units on this database: an emoji counts as two characters.
