-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Item] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [small] SMALLINT NULL,
  [count] INT NULL,
  [big] BIGINT NULL,
  [digits] NUMERIC(20) NULL,
  [price] DECIMAL(10, 2) NULL,
  [rate] DECIMAL(8, 4) NULL,
  [open] DECIMAL(38, 10) NULL,
  [ratio] FLOAT(53) NULL,
  [single] REAL NULL,
  [code] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [other] NVARCHAR(40) COLLATE Latin1_General_100_BIN2 NULL,
  [note] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL,
  [guid] UNIQUEIDENTIFIER NULL,
  [active] BIT NULL,
  [born] DATE NULL,
  [died] DATE NULL,
  [opens] TIME(6) NULL,
  [made] DATETIME2(6) NULL,
  [seen] DATETIME2(6) NULL,
  [sent] DATETIMEOFFSET(6) NULL,
  CONSTRAINT [pk_Item] PRIMARY KEY ([id]),
  CONSTRAINT [ck_price] CHECK ([price] >= 0 AND ([rate] IS NULL OR [rate] < [price])),
  CONSTRAINT [ck_Item_count_small_active] CHECK (NOT ([count] >= 1 AND [count] <= 5) OR NOT ([small] IN (1, -2)) OR [active] = 1),
  CONSTRAINT [ck_Item_code_other] CHECK (DATALENGTH(LTRIM(RTRIM([code]))) / 2 > 0 AND ([code] = TRANSLATE([code], 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') AND DATALENGTH([code]) = DATALENGTH(TRANSLATE([code], 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'))) AND NOT ([other] = TRANSLATE([other], 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') AND DATALENGTH([other]) = DATALENGTH(TRANSLATE([other], 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')))),
  CONSTRAINT [ck_Item_code_other_note] CHECK (NOT ([code] + N'-' + COALESCE([other], N'it''s') = N'x' AND DATALENGTH([code] + N'-' + COALESCE([other], N'it''s')) = DATALENGTH(N'x')) OR [note] IS NOT NULL),
  CONSTRAINT [ck_Item_price_rate_count_small] CHECK ((CAST([price] AS DECIMAL(10, 2)) * CAST(2 AS DECIMAL(1, 0))) - (CAST([rate] AS DECIMAL(8, 4)) + CAST(1 AS DECIMAL(1, 0))) <> 0.5 AND CAST([count] AS DECIMAL(10, 0)) * CAST([small] AS DECIMAL(5, 0)) > -1),
  CONSTRAINT [ck_Item_born_made_died] CHECK (YEAR([born]) >= 1900 AND MONTH([born]) <> 2 OR DAY([made]) = 1 AND [born] <= COALESCE([died], '9999-12-31')),
  CONSTRAINT [ck_Item_sent_guid_opens_ratio] CHECK ([sent] > '2026-01-01T00:00:00+00:00' OR [guid] = N'6f9619ff-8b86-d011-b42d-00cf4fc964ff' OR [opens] < '12:00:00' OR [ratio] <= 0.5),
  CONSTRAINT [ck_Item_note] CHECK (NOT ([note] = N'' AND DATALENGTH([note]) = DATALENGTH(N''))),
  CONSTRAINT [ck_Item_id] CHECK ([id] > 0)
);

CREATE TABLE [Special] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [small] SMALLINT NULL,
  [count] INT NULL,
  [big] BIGINT NULL,
  [digits] NUMERIC(20) NULL,
  [price] DECIMAL(10, 2) NULL,
  [rate] DECIMAL(8, 4) NULL,
  [open] DECIMAL(38, 10) NULL,
  [ratio] FLOAT(53) NULL,
  [single] REAL NULL,
  [code] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [other] NVARCHAR(40) COLLATE Latin1_General_100_BIN2 NULL,
  [note] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL,
  [guid] UNIQUEIDENTIFIER NULL,
  [active] BIT NULL,
  [born] DATE NULL,
  [died] DATE NULL,
  [opens] TIME(6) NULL,
  [made] DATETIME2(6) NULL,
  [seen] DATETIME2(6) NULL,
  [sent] DATETIMEOFFSET(6) NULL,
  [extra] BIGINT NOT NULL,
  CONSTRAINT [pk_Special] PRIMARY KEY ([id]),
  CONSTRAINT [ck_price_Special] CHECK ([price] >= 0 AND ([rate] IS NULL OR [rate] < [price])),
  CONSTRAINT [ck_Special_count_small_active] CHECK (NOT ([count] >= 1 AND [count] <= 5) OR NOT ([small] IN (1, -2)) OR [active] = 1),
  CONSTRAINT [ck_Special_code_other] CHECK (DATALENGTH(LTRIM(RTRIM([code]))) / 2 > 0 AND ([code] = TRANSLATE([code], 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') AND DATALENGTH([code]) = DATALENGTH(TRANSLATE([code], 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'))) AND NOT ([other] = TRANSLATE([other], 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') AND DATALENGTH([other]) = DATALENGTH(TRANSLATE([other], 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')))),
  CONSTRAINT [ck_Special_code_other_note] CHECK (NOT ([code] + N'-' + COALESCE([other], N'it''s') = N'x' AND DATALENGTH([code] + N'-' + COALESCE([other], N'it''s')) = DATALENGTH(N'x')) OR [note] IS NOT NULL),
  CONSTRAINT [ck_Special_price_rate_count_small] CHECK ((CAST([price] AS DECIMAL(10, 2)) * CAST(2 AS DECIMAL(1, 0))) - (CAST([rate] AS DECIMAL(8, 4)) + CAST(1 AS DECIMAL(1, 0))) <> 0.5 AND CAST([count] AS DECIMAL(10, 0)) * CAST([small] AS DECIMAL(5, 0)) > -1),
  CONSTRAINT [ck_Special_born_made_died] CHECK (YEAR([born]) >= 1900 AND MONTH([born]) <> 2 OR DAY([made]) = 1 AND [born] <= COALESCE([died], '9999-12-31')),
  CONSTRAINT [ck_Special_sent_guid_opens_ratio] CHECK ([sent] > '2026-01-01T00:00:00+00:00' OR [guid] = N'6f9619ff-8b86-d011-b42d-00cf4fc964ff' OR [opens] < '12:00:00' OR [ratio] <= 0.5),
  CONSTRAINT [ck_Special_note] CHECK (NOT ([note] = N'' AND DATALENGTH([note]) = DATALENGTH(N''))),
  CONSTRAINT [ck_Special_id] CHECK ([id] > 0),
  CONSTRAINT [ck_extra] CHECK ([extra] > [count])
);

CREATE TABLE [Owned] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [weight] BIGINT NOT NULL,
  [owner] BIGINT NULL,
  CONSTRAINT [pk_Owned] PRIMARY KEY ([id]),
  CONSTRAINT [ck_owner] CHECK ([owner] <> [weight])
);

CREATE INDEX [ix_Owned_owner] ON [Owned] ([owner]);

ALTER TABLE [Owned] ADD CONSTRAINT [fk_Owned_owner] FOREIGN KEY ([owner]) REFERENCES [Item] ([id]) ON DELETE SET NULL;

-- 8 notes: differences of this schema from the model.
-- Special: The check 'code   1' is left out: 'code   1' compares a text with a number.
-- Special: The check 'gone   1' is left out: There is no attribute 'gone'.
-- Item.open: 'open' is stored with precision 38 and scale 10 on this database.
-- Item.code: The length of 'code' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Item.other: The length of 'other' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Special.open: 'open' is stored with precision 38 and scale 10 on this database.
-- Special.code: The length of 'code' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Special.other: The length of 'other' is counted in UTF-16 units on this database: an emoji counts as two characters.
