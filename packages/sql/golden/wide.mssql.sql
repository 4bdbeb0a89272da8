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
