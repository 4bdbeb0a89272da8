-- Database schema of Shop for SQL Server

SET QUOTED_IDENTIFIER ON;

CREATE TABLE [Wide] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [attribute0] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute1] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute2] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute3] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute4] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute5] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute6] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute7] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute8] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute9] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute10] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute11] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute12] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute13] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute14] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute15] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute16] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute17] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute18] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute19] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute20] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute21] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute22] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute23] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute24] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute25] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute26] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute27] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute28] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute29] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute30] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute31] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute32] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute33] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute34] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute35] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute36] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute37] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute38] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute39] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute40] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute41] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute42] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute43] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute44] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute45] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute46] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute47] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute48] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute49] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute50] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute51] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute52] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute53] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute54] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute55] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute56] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute57] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute58] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute59] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute60] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute61] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute62] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute63] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute64] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute65] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute66] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute67] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute68] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute69] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute70] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute71] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute72] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute73] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute74] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute75] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute76] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute77] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute78] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute79] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute80] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute81] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute82] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute83] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute84] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute85] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute86] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute87] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute88] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute89] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute90] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute91] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute92] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute93] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute94] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute95] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute96] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute97] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute98] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute99] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute100] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute101] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute102] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute103] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute104] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute105] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute106] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute107] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute108] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute109] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute110] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute111] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute112] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute113] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute114] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute115] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute116] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute117] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute118] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute119] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute120] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute121] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute122] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute123] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute124] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute125] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute126] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute127] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute128] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute129] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute130] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute131] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute132] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute133] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute134] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute135] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute136] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute137] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute138] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute139] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute140] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute141] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute142] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute143] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute144] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute145] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute146] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute147] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute148] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute149] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute150] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute151] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute152] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute153] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute154] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute155] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute156] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute157] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute158] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute159] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute160] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute161] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute162] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute163] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute164] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute165] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute166] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute167] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute168] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute169] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute170] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute171] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute172] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute173] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute174] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute175] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute176] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute177] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute178] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute179] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute180] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute181] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute182] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute183] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute184] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute185] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute186] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute187] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute188] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute189] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute190] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute191] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute192] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute193] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute194] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute195] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute196] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute197] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute198] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute199] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute200] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute201] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute202] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute203] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute204] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute205] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute206] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute207] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute208] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute209] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute210] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute211] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute212] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute213] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute214] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute215] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute216] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute217] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute218] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute219] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute220] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute221] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute222] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute223] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute224] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute225] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute226] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute227] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute228] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute229] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute230] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute231] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute232] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute233] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute234] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute235] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute236] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute237] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute238] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute239] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute240] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute241] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute242] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute243] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute244] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute245] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute246] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute247] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute248] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute249] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute250] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute251] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute252] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute253] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute254] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute255] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute256] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute257] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute258] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute259] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute260] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute261] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute262] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute263] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute264] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute265] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute266] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute267] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute268] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute269] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute270] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute271] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute272] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute273] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute274] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute275] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute276] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute277] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute278] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute279] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute280] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute281] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute282] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute283] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute284] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute285] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute286] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute287] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute288] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute289] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute290] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute291] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute292] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute293] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute294] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute295] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute296] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute297] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute298] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute299] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NULL,
  CONSTRAINT [pk_Wide] PRIMARY KEY ([id])
);

CREATE TABLE [LessWide] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [attribute0] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute1] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute2] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute3] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute4] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute5] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute6] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute7] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute8] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute9] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute10] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute11] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute12] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute13] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute14] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute15] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute16] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute17] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute18] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute19] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute20] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute21] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute22] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute23] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute24] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute25] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute26] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute27] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute28] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute29] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute30] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute31] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute32] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute33] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute34] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute35] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute36] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute37] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute38] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute39] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute40] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute41] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute42] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute43] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute44] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute45] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute46] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute47] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute48] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute49] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute50] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute51] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute52] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute53] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute54] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute55] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute56] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute57] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute58] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute59] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute60] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute61] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute62] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute63] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute64] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute65] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute66] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute67] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute68] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute69] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute70] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute71] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute72] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute73] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute74] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute75] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute76] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute77] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute78] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute79] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute80] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute81] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute82] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute83] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute84] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute85] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute86] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute87] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute88] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute89] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute90] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute91] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute92] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute93] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute94] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute95] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute96] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute97] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute98] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute99] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute100] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute101] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute102] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute103] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute104] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute105] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute106] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute107] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute108] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute109] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute110] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute111] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute112] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute113] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute114] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute115] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute116] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute117] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute118] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute119] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute120] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute121] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute122] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute123] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute124] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute125] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute126] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute127] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute128] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute129] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute130] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute131] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute132] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute133] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute134] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute135] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute136] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute137] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute138] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute139] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute140] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute141] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute142] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute143] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute144] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute145] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute146] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute147] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute148] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  [attribute149] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
  CONSTRAINT [pk_LessWide] PRIMARY KEY ([id])
);

CREATE TABLE [Linked] (
  [id] BIGINT IDENTITY(1,1) NOT NULL,
  [indexed] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [link0] BIGINT NULL,
  [link1] BIGINT NULL,
  [link2] BIGINT NULL,
  [link3] BIGINT NULL,
  [link4] BIGINT NULL,
  [link5] BIGINT NULL,
  [link6] BIGINT NULL,
  [link7] BIGINT NULL,
  [link8] BIGINT NULL,
  [link9] BIGINT NULL,
  [link10] BIGINT NULL,
  [link11] BIGINT NULL,
  [link12] BIGINT NULL,
  [link13] BIGINT NULL,
  [link14] BIGINT NULL,
  [link15] BIGINT NULL,
  [link16] BIGINT NULL,
  [link17] BIGINT NULL,
  [link18] BIGINT NULL,
  [link19] BIGINT NULL,
  [link20] BIGINT NULL,
  [link21] BIGINT NULL,
  [link22] BIGINT NULL,
  [link23] BIGINT NULL,
  [link24] BIGINT NULL,
  [link25] BIGINT NULL,
  [link26] BIGINT NULL,
  [link27] BIGINT NULL,
  [link28] BIGINT NULL,
  [link29] BIGINT NULL,
  [link30] BIGINT NULL,
  [link31] BIGINT NULL,
  [link32] BIGINT NULL,
  [link33] BIGINT NULL,
  [link34] BIGINT NULL,
  [link35] BIGINT NULL,
  [link36] BIGINT NULL,
  [link37] BIGINT NULL,
  [link38] BIGINT NULL,
  [link39] BIGINT NULL,
  [link40] BIGINT NULL,
  [link41] BIGINT NULL,
  [link42] BIGINT NULL,
  [link43] BIGINT NULL,
  [link44] BIGINT NULL,
  [link45] BIGINT NULL,
  [link46] BIGINT NULL,
  [link47] BIGINT NULL,
  [link48] BIGINT NULL,
  [link49] BIGINT NULL,
  [link50] BIGINT NULL,
  [link51] BIGINT NULL,
  [link52] BIGINT NULL,
  [link53] BIGINT NULL,
  [link54] BIGINT NULL,
  [link55] BIGINT NULL,
  [link56] BIGINT NULL,
  [link57] BIGINT NULL,
  [link58] BIGINT NULL,
  [link59] BIGINT NULL,
  [link60] BIGINT NULL,
  [link61] BIGINT NULL,
  [link62] BIGINT NULL,
  [link63] BIGINT NULL,
  [link64] BIGINT NULL,
  CONSTRAINT [pk_Linked] PRIMARY KEY ([id])
);

CREATE INDEX [ix_Linked_indexed] ON [Linked] ([indexed]);

CREATE INDEX [ix_Linked_link0] ON [Linked] ([link0]);

CREATE INDEX [ix_Linked_link1] ON [Linked] ([link1]);

CREATE INDEX [ix_Linked_link2] ON [Linked] ([link2]);

CREATE INDEX [ix_Linked_link3] ON [Linked] ([link3]);

CREATE INDEX [ix_Linked_link4] ON [Linked] ([link4]);

CREATE INDEX [ix_Linked_link5] ON [Linked] ([link5]);

CREATE INDEX [ix_Linked_link6] ON [Linked] ([link6]);

CREATE INDEX [ix_Linked_link7] ON [Linked] ([link7]);

CREATE INDEX [ix_Linked_link8] ON [Linked] ([link8]);

CREATE INDEX [ix_Linked_link9] ON [Linked] ([link9]);

CREATE INDEX [ix_Linked_link10] ON [Linked] ([link10]);

CREATE INDEX [ix_Linked_link11] ON [Linked] ([link11]);

CREATE INDEX [ix_Linked_link12] ON [Linked] ([link12]);

CREATE INDEX [ix_Linked_link13] ON [Linked] ([link13]);

CREATE INDEX [ix_Linked_link14] ON [Linked] ([link14]);

CREATE INDEX [ix_Linked_link15] ON [Linked] ([link15]);

CREATE INDEX [ix_Linked_link16] ON [Linked] ([link16]);

CREATE INDEX [ix_Linked_link17] ON [Linked] ([link17]);

CREATE INDEX [ix_Linked_link18] ON [Linked] ([link18]);

CREATE INDEX [ix_Linked_link19] ON [Linked] ([link19]);

CREATE INDEX [ix_Linked_link20] ON [Linked] ([link20]);

CREATE INDEX [ix_Linked_link21] ON [Linked] ([link21]);

CREATE INDEX [ix_Linked_link22] ON [Linked] ([link22]);

CREATE INDEX [ix_Linked_link23] ON [Linked] ([link23]);

CREATE INDEX [ix_Linked_link24] ON [Linked] ([link24]);

CREATE INDEX [ix_Linked_link25] ON [Linked] ([link25]);

CREATE INDEX [ix_Linked_link26] ON [Linked] ([link26]);

CREATE INDEX [ix_Linked_link27] ON [Linked] ([link27]);

CREATE INDEX [ix_Linked_link28] ON [Linked] ([link28]);

CREATE INDEX [ix_Linked_link29] ON [Linked] ([link29]);

CREATE INDEX [ix_Linked_link30] ON [Linked] ([link30]);

CREATE INDEX [ix_Linked_link31] ON [Linked] ([link31]);

CREATE INDEX [ix_Linked_link32] ON [Linked] ([link32]);

CREATE INDEX [ix_Linked_link33] ON [Linked] ([link33]);

CREATE INDEX [ix_Linked_link34] ON [Linked] ([link34]);

CREATE INDEX [ix_Linked_link35] ON [Linked] ([link35]);

CREATE INDEX [ix_Linked_link36] ON [Linked] ([link36]);

CREATE INDEX [ix_Linked_link37] ON [Linked] ([link37]);

CREATE INDEX [ix_Linked_link38] ON [Linked] ([link38]);

CREATE INDEX [ix_Linked_link39] ON [Linked] ([link39]);

CREATE INDEX [ix_Linked_link40] ON [Linked] ([link40]);

CREATE INDEX [ix_Linked_link41] ON [Linked] ([link41]);

CREATE INDEX [ix_Linked_link42] ON [Linked] ([link42]);

CREATE INDEX [ix_Linked_link43] ON [Linked] ([link43]);

CREATE INDEX [ix_Linked_link44] ON [Linked] ([link44]);

CREATE INDEX [ix_Linked_link45] ON [Linked] ([link45]);

CREATE INDEX [ix_Linked_link46] ON [Linked] ([link46]);

CREATE INDEX [ix_Linked_link47] ON [Linked] ([link47]);

CREATE INDEX [ix_Linked_link48] ON [Linked] ([link48]);

CREATE INDEX [ix_Linked_link49] ON [Linked] ([link49]);

CREATE INDEX [ix_Linked_link50] ON [Linked] ([link50]);

CREATE INDEX [ix_Linked_link51] ON [Linked] ([link51]);

CREATE INDEX [ix_Linked_link52] ON [Linked] ([link52]);

CREATE INDEX [ix_Linked_link53] ON [Linked] ([link53]);

CREATE INDEX [ix_Linked_link54] ON [Linked] ([link54]);

CREATE INDEX [ix_Linked_link55] ON [Linked] ([link55]);

CREATE INDEX [ix_Linked_link56] ON [Linked] ([link56]);

CREATE INDEX [ix_Linked_link57] ON [Linked] ([link57]);

CREATE INDEX [ix_Linked_link58] ON [Linked] ([link58]);

CREATE INDEX [ix_Linked_link59] ON [Linked] ([link59]);

CREATE INDEX [ix_Linked_link60] ON [Linked] ([link60]);

CREATE INDEX [ix_Linked_link61] ON [Linked] ([link61]);

CREATE INDEX [ix_Linked_link62] ON [Linked] ([link62]);

CREATE INDEX [ix_Linked_link63] ON [Linked] ([link63]);

CREATE INDEX [ix_Linked_link64] ON [Linked] ([link64]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link0] FOREIGN KEY ([link0]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link1] FOREIGN KEY ([link1]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link2] FOREIGN KEY ([link2]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link3] FOREIGN KEY ([link3]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link4] FOREIGN KEY ([link4]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link5] FOREIGN KEY ([link5]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link6] FOREIGN KEY ([link6]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link7] FOREIGN KEY ([link7]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link8] FOREIGN KEY ([link8]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link9] FOREIGN KEY ([link9]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link10] FOREIGN KEY ([link10]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link11] FOREIGN KEY ([link11]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link12] FOREIGN KEY ([link12]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link13] FOREIGN KEY ([link13]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link14] FOREIGN KEY ([link14]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link15] FOREIGN KEY ([link15]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link16] FOREIGN KEY ([link16]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link17] FOREIGN KEY ([link17]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link18] FOREIGN KEY ([link18]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link19] FOREIGN KEY ([link19]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link20] FOREIGN KEY ([link20]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link21] FOREIGN KEY ([link21]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link22] FOREIGN KEY ([link22]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link23] FOREIGN KEY ([link23]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link24] FOREIGN KEY ([link24]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link25] FOREIGN KEY ([link25]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link26] FOREIGN KEY ([link26]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link27] FOREIGN KEY ([link27]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link28] FOREIGN KEY ([link28]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link29] FOREIGN KEY ([link29]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link30] FOREIGN KEY ([link30]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link31] FOREIGN KEY ([link31]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link32] FOREIGN KEY ([link32]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link33] FOREIGN KEY ([link33]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link34] FOREIGN KEY ([link34]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link35] FOREIGN KEY ([link35]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link36] FOREIGN KEY ([link36]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link37] FOREIGN KEY ([link37]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link38] FOREIGN KEY ([link38]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link39] FOREIGN KEY ([link39]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link40] FOREIGN KEY ([link40]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link41] FOREIGN KEY ([link41]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link42] FOREIGN KEY ([link42]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link43] FOREIGN KEY ([link43]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link44] FOREIGN KEY ([link44]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link45] FOREIGN KEY ([link45]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link46] FOREIGN KEY ([link46]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link47] FOREIGN KEY ([link47]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link48] FOREIGN KEY ([link48]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link49] FOREIGN KEY ([link49]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link50] FOREIGN KEY ([link50]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link51] FOREIGN KEY ([link51]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link52] FOREIGN KEY ([link52]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link53] FOREIGN KEY ([link53]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link54] FOREIGN KEY ([link54]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link55] FOREIGN KEY ([link55]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link56] FOREIGN KEY ([link56]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link57] FOREIGN KEY ([link57]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link58] FOREIGN KEY ([link58]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link59] FOREIGN KEY ([link59]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link60] FOREIGN KEY ([link60]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link61] FOREIGN KEY ([link61]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link62] FOREIGN KEY ([link62]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link63] FOREIGN KEY ([link63]) REFERENCES [LessWide] ([id]);

ALTER TABLE [Linked] ADD CONSTRAINT [fk_Linked_link64] FOREIGN KEY ([link64]) REFERENCES [LessWide] ([id]);

-- 452 notes: differences of this schema from the model.
-- Linked.indexed: 'indexed' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Wide.attribute0: The length of 'attribute0' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute1: The length of 'attribute1' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute2: The length of 'attribute2' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute3: The length of 'attribute3' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute4: The length of 'attribute4' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute5: The length of 'attribute5' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute6: The length of 'attribute6' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute7: The length of 'attribute7' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute8: The length of 'attribute8' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute9: The length of 'attribute9' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute10: The length of 'attribute10' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute11: The length of 'attribute11' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute12: The length of 'attribute12' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute13: The length of 'attribute13' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute14: The length of 'attribute14' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute15: The length of 'attribute15' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute16: The length of 'attribute16' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute17: The length of 'attribute17' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute18: The length of 'attribute18' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute19: The length of 'attribute19' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute20: The length of 'attribute20' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute21: The length of 'attribute21' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute22: The length of 'attribute22' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute23: The length of 'attribute23' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute24: The length of 'attribute24' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute25: The length of 'attribute25' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute26: The length of 'attribute26' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute27: The length of 'attribute27' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute28: The length of 'attribute28' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute29: The length of 'attribute29' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute30: The length of 'attribute30' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute31: The length of 'attribute31' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute32: The length of 'attribute32' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute33: The length of 'attribute33' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute34: The length of 'attribute34' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute35: The length of 'attribute35' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute36: The length of 'attribute36' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute37: The length of 'attribute37' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute38: The length of 'attribute38' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute39: The length of 'attribute39' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute40: The length of 'attribute40' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute41: The length of 'attribute41' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute42: The length of 'attribute42' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute43: The length of 'attribute43' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute44: The length of 'attribute44' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute45: The length of 'attribute45' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute46: The length of 'attribute46' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute47: The length of 'attribute47' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute48: The length of 'attribute48' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute49: The length of 'attribute49' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute50: The length of 'attribute50' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute51: The length of 'attribute51' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute52: The length of 'attribute52' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute53: The length of 'attribute53' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute54: The length of 'attribute54' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute55: The length of 'attribute55' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute56: The length of 'attribute56' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute57: The length of 'attribute57' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute58: The length of 'attribute58' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute59: The length of 'attribute59' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute60: The length of 'attribute60' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute61: The length of 'attribute61' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute62: The length of 'attribute62' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute63: The length of 'attribute63' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute64: The length of 'attribute64' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute65: The length of 'attribute65' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute66: The length of 'attribute66' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute67: The length of 'attribute67' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute68: The length of 'attribute68' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute69: The length of 'attribute69' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute70: The length of 'attribute70' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute71: The length of 'attribute71' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute72: The length of 'attribute72' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute73: The length of 'attribute73' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute74: The length of 'attribute74' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute75: The length of 'attribute75' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute76: The length of 'attribute76' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute77: The length of 'attribute77' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute78: The length of 'attribute78' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute79: The length of 'attribute79' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute80: The length of 'attribute80' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute81: The length of 'attribute81' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute82: The length of 'attribute82' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute83: The length of 'attribute83' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute84: The length of 'attribute84' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute85: The length of 'attribute85' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute86: The length of 'attribute86' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute87: The length of 'attribute87' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute88: The length of 'attribute88' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute89: The length of 'attribute89' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute90: The length of 'attribute90' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute91: The length of 'attribute91' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute92: The length of 'attribute92' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute93: The length of 'attribute93' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute94: The length of 'attribute94' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute95: The length of 'attribute95' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute96: The length of 'attribute96' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute97: The length of 'attribute97' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute98: The length of 'attribute98' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute99: The length of 'attribute99' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute100: The length of 'attribute100' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute101: The length of 'attribute101' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute102: The length of 'attribute102' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute103: The length of 'attribute103' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute104: The length of 'attribute104' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute105: The length of 'attribute105' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute106: The length of 'attribute106' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute107: The length of 'attribute107' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute108: The length of 'attribute108' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute109: The length of 'attribute109' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute110: The length of 'attribute110' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute111: The length of 'attribute111' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute112: The length of 'attribute112' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute113: The length of 'attribute113' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute114: The length of 'attribute114' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute115: The length of 'attribute115' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute116: The length of 'attribute116' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute117: The length of 'attribute117' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute118: The length of 'attribute118' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute119: The length of 'attribute119' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute120: The length of 'attribute120' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute121: The length of 'attribute121' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute122: The length of 'attribute122' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute123: The length of 'attribute123' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute124: The length of 'attribute124' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute125: The length of 'attribute125' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute126: The length of 'attribute126' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute127: The length of 'attribute127' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute128: The length of 'attribute128' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute129: The length of 'attribute129' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute130: The length of 'attribute130' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute131: The length of 'attribute131' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute132: The length of 'attribute132' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute133: The length of 'attribute133' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute134: The length of 'attribute134' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute135: The length of 'attribute135' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute136: The length of 'attribute136' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute137: The length of 'attribute137' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute138: The length of 'attribute138' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute139: The length of 'attribute139' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute140: The length of 'attribute140' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute141: The length of 'attribute141' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute142: The length of 'attribute142' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute143: The length of 'attribute143' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute144: The length of 'attribute144' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute145: The length of 'attribute145' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute146: The length of 'attribute146' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute147: The length of 'attribute147' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute148: The length of 'attribute148' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute149: The length of 'attribute149' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute150: The length of 'attribute150' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute151: The length of 'attribute151' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute152: The length of 'attribute152' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute153: The length of 'attribute153' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute154: The length of 'attribute154' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute155: The length of 'attribute155' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute156: The length of 'attribute156' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute157: The length of 'attribute157' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute158: The length of 'attribute158' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute159: The length of 'attribute159' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute160: The length of 'attribute160' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute161: The length of 'attribute161' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute162: The length of 'attribute162' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute163: The length of 'attribute163' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute164: The length of 'attribute164' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute165: The length of 'attribute165' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute166: The length of 'attribute166' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute167: The length of 'attribute167' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute168: The length of 'attribute168' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute169: The length of 'attribute169' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute170: The length of 'attribute170' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute171: The length of 'attribute171' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute172: The length of 'attribute172' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute173: The length of 'attribute173' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute174: The length of 'attribute174' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute175: The length of 'attribute175' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute176: The length of 'attribute176' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute177: The length of 'attribute177' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute178: The length of 'attribute178' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute179: The length of 'attribute179' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute180: The length of 'attribute180' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute181: The length of 'attribute181' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute182: The length of 'attribute182' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute183: The length of 'attribute183' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute184: The length of 'attribute184' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute185: The length of 'attribute185' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute186: The length of 'attribute186' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute187: The length of 'attribute187' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute188: The length of 'attribute188' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute189: The length of 'attribute189' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute190: The length of 'attribute190' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute191: The length of 'attribute191' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute192: The length of 'attribute192' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute193: The length of 'attribute193' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute194: The length of 'attribute194' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute195: The length of 'attribute195' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute196: The length of 'attribute196' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute197: The length of 'attribute197' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute198: The length of 'attribute198' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute199: The length of 'attribute199' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute200: The length of 'attribute200' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute201: The length of 'attribute201' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute202: The length of 'attribute202' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute203: The length of 'attribute203' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute204: The length of 'attribute204' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute205: The length of 'attribute205' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute206: The length of 'attribute206' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute207: The length of 'attribute207' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute208: The length of 'attribute208' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute209: The length of 'attribute209' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute210: The length of 'attribute210' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute211: The length of 'attribute211' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute212: The length of 'attribute212' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute213: The length of 'attribute213' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute214: The length of 'attribute214' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute215: The length of 'attribute215' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute216: The length of 'attribute216' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute217: The length of 'attribute217' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute218: The length of 'attribute218' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute219: The length of 'attribute219' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute220: The length of 'attribute220' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute221: The length of 'attribute221' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute222: The length of 'attribute222' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute223: The length of 'attribute223' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute224: The length of 'attribute224' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute225: The length of 'attribute225' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute226: The length of 'attribute226' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute227: The length of 'attribute227' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute228: The length of 'attribute228' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute229: The length of 'attribute229' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute230: The length of 'attribute230' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute231: The length of 'attribute231' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute232: The length of 'attribute232' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute233: The length of 'attribute233' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute234: The length of 'attribute234' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute235: The length of 'attribute235' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute236: The length of 'attribute236' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute237: The length of 'attribute237' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute238: The length of 'attribute238' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute239: The length of 'attribute239' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute240: The length of 'attribute240' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute241: The length of 'attribute241' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute242: The length of 'attribute242' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute243: The length of 'attribute243' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute244: The length of 'attribute244' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute245: The length of 'attribute245' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute246: The length of 'attribute246' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute247: The length of 'attribute247' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute248: The length of 'attribute248' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute249: The length of 'attribute249' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute250: The length of 'attribute250' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute251: The length of 'attribute251' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute252: The length of 'attribute252' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute253: The length of 'attribute253' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute254: The length of 'attribute254' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute255: The length of 'attribute255' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute256: The length of 'attribute256' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute257: The length of 'attribute257' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute258: The length of 'attribute258' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute259: The length of 'attribute259' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute260: The length of 'attribute260' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute261: The length of 'attribute261' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute262: The length of 'attribute262' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute263: The length of 'attribute263' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute264: The length of 'attribute264' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute265: The length of 'attribute265' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute266: The length of 'attribute266' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute267: The length of 'attribute267' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute268: The length of 'attribute268' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute269: The length of 'attribute269' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute270: The length of 'attribute270' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute271: The length of 'attribute271' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute272: The length of 'attribute272' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute273: The length of 'attribute273' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute274: The length of 'attribute274' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute275: The length of 'attribute275' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute276: The length of 'attribute276' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute277: The length of 'attribute277' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute278: The length of 'attribute278' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute279: The length of 'attribute279' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute280: The length of 'attribute280' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute281: The length of 'attribute281' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute282: The length of 'attribute282' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute283: The length of 'attribute283' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute284: The length of 'attribute284' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute285: The length of 'attribute285' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute286: The length of 'attribute286' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute287: The length of 'attribute287' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute288: The length of 'attribute288' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute289: The length of 'attribute289' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute290: The length of 'attribute290' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute291: The length of 'attribute291' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute292: The length of 'attribute292' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute293: The length of 'attribute293' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute294: The length of 'attribute294' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute295: The length of 'attribute295' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute296: The length of 'attribute296' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute297: The length of 'attribute297' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute298: The length of 'attribute298' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Wide.attribute299: The length of 'attribute299' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute0: The length of 'attribute0' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute1: The length of 'attribute1' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute2: The length of 'attribute2' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute3: The length of 'attribute3' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute4: The length of 'attribute4' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute5: The length of 'attribute5' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute6: The length of 'attribute6' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute7: The length of 'attribute7' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute8: The length of 'attribute8' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute9: The length of 'attribute9' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute10: The length of 'attribute10' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute11: The length of 'attribute11' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute12: The length of 'attribute12' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute13: The length of 'attribute13' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute14: The length of 'attribute14' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute15: The length of 'attribute15' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute16: The length of 'attribute16' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute17: The length of 'attribute17' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute18: The length of 'attribute18' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute19: The length of 'attribute19' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute20: The length of 'attribute20' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute21: The length of 'attribute21' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute22: The length of 'attribute22' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute23: The length of 'attribute23' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute24: The length of 'attribute24' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute25: The length of 'attribute25' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute26: The length of 'attribute26' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute27: The length of 'attribute27' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute28: The length of 'attribute28' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute29: The length of 'attribute29' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute30: The length of 'attribute30' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute31: The length of 'attribute31' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute32: The length of 'attribute32' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute33: The length of 'attribute33' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute34: The length of 'attribute34' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute35: The length of 'attribute35' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute36: The length of 'attribute36' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute37: The length of 'attribute37' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute38: The length of 'attribute38' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute39: The length of 'attribute39' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute40: The length of 'attribute40' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute41: The length of 'attribute41' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute42: The length of 'attribute42' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute43: The length of 'attribute43' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute44: The length of 'attribute44' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute45: The length of 'attribute45' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute46: The length of 'attribute46' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute47: The length of 'attribute47' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute48: The length of 'attribute48' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute49: The length of 'attribute49' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute50: The length of 'attribute50' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute51: The length of 'attribute51' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute52: The length of 'attribute52' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute53: The length of 'attribute53' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute54: The length of 'attribute54' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute55: The length of 'attribute55' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute56: The length of 'attribute56' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute57: The length of 'attribute57' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute58: The length of 'attribute58' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute59: The length of 'attribute59' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute60: The length of 'attribute60' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute61: The length of 'attribute61' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute62: The length of 'attribute62' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute63: The length of 'attribute63' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute64: The length of 'attribute64' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute65: The length of 'attribute65' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute66: The length of 'attribute66' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute67: The length of 'attribute67' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute68: The length of 'attribute68' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute69: The length of 'attribute69' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute70: The length of 'attribute70' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute71: The length of 'attribute71' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute72: The length of 'attribute72' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute73: The length of 'attribute73' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute74: The length of 'attribute74' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute75: The length of 'attribute75' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute76: The length of 'attribute76' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute77: The length of 'attribute77' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute78: The length of 'attribute78' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute79: The length of 'attribute79' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute80: The length of 'attribute80' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute81: The length of 'attribute81' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute82: The length of 'attribute82' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute83: The length of 'attribute83' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute84: The length of 'attribute84' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute85: The length of 'attribute85' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute86: The length of 'attribute86' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute87: The length of 'attribute87' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute88: The length of 'attribute88' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute89: The length of 'attribute89' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute90: The length of 'attribute90' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute91: The length of 'attribute91' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute92: The length of 'attribute92' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute93: The length of 'attribute93' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute94: The length of 'attribute94' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute95: The length of 'attribute95' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute96: The length of 'attribute96' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute97: The length of 'attribute97' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute98: The length of 'attribute98' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute99: The length of 'attribute99' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute100: The length of 'attribute100' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute101: The length of 'attribute101' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute102: The length of 'attribute102' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute103: The length of 'attribute103' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute104: The length of 'attribute104' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute105: The length of 'attribute105' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute106: The length of 'attribute106' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute107: The length of 'attribute107' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute108: The length of 'attribute108' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute109: The length of 'attribute109' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute110: The length of 'attribute110' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute111: The length of 'attribute111' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute112: The length of 'attribute112' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute113: The length of 'attribute113' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute114: The length of 'attribute114' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute115: The length of 'attribute115' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute116: The length of 'attribute116' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute117: The length of 'attribute117' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute118: The length of 'attribute118' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute119: The length of 'attribute119' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute120: The length of 'attribute120' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute121: The length of 'attribute121' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute122: The length of 'attribute122' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute123: The length of 'attribute123' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute124: The length of 'attribute124' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute125: The length of 'attribute125' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute126: The length of 'attribute126' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute127: The length of 'attribute127' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute128: The length of 'attribute128' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute129: The length of 'attribute129' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute130: The length of 'attribute130' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute131: The length of 'attribute131' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute132: The length of 'attribute132' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute133: The length of 'attribute133' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute134: The length of 'attribute134' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute135: The length of 'attribute135' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute136: The length of 'attribute136' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute137: The length of 'attribute137' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute138: The length of 'attribute138' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute139: The length of 'attribute139' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute140: The length of 'attribute140' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute141: The length of 'attribute141' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute142: The length of 'attribute142' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute143: The length of 'attribute143' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute144: The length of 'attribute144' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute145: The length of 'attribute145' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute146: The length of 'attribute146' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute147: The length of 'attribute147' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute148: The length of 'attribute148' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- LessWide.attribute149: The length of 'attribute149' is counted in UTF-16 units on this database: an emoji counts as two characters.
-- Linked.indexed: The length of 'indexed' is counted in UTF-16 units on this database: an emoji counts as two characters.
