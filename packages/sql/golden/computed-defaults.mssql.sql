-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Event] (
  [eventId] UNIQUEIDENTIFIER DEFAULT NEWID() NOT NULL,
  [title] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL,
  [heard] DATETIMEOFFSET(6) DEFAULT SYSUTCDATETIME() NOT NULL,
  [stored] DATETIME2(6) DEFAULT SYSUTCDATETIME() NOT NULL,
  [opens] DATETIME2(6) DEFAULT SYSDATETIME() NOT NULL,
  [day] DATE DEFAULT CAST(SYSUTCDATETIME() AS DATE) NOT NULL,
  [token] UNIQUEIDENTIFIER DEFAULT NEWID() NULL,
  [hour] TIME(6) NULL,
  [dayText] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NULL,
  CONSTRAINT [pk_Event] PRIMARY KEY ([eventId]),
  CONSTRAINT [uq_Event_stored] UNIQUE ([stored])
);

CREATE TABLE [Seat] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [eventId] UNIQUEIDENTIFIER NULL,
  CONSTRAINT [pk_Seat] PRIMARY KEY ([id])
);

CREATE UNIQUE INDEX [uq_Event_token] ON [Event] ([token]) WHERE [token] IS NOT NULL;

CREATE INDEX [ix_Event_opens] ON [Event] ([opens]);

CREATE INDEX [ix_Seat_eventId] ON [Seat] ([eventId]);

ALTER TABLE [Seat] ADD CONSTRAINT [fk_Seat_eventId] FOREIGN KEY ([eventId]) REFERENCES [Event] ([eventId]);

-- 2 notes: differences of this schema from the model.
-- Event.hour: The default value of 'hour' does not fit its column: it is left out.
-- Event.dayText: The default value of 'dayText' does not fit its column: it is left out.
