-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

SET SESSION innodb_strict_mode = OFF;

CREATE TABLE `Wide` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `attribute0` LONGTEXT CHECK (CHAR_LENGTH(`attribute0`) <= 100),
  `attribute1` LONGTEXT CHECK (CHAR_LENGTH(`attribute1`) <= 100),
  `attribute2` LONGTEXT CHECK (CHAR_LENGTH(`attribute2`) <= 100),
  `attribute3` LONGTEXT CHECK (CHAR_LENGTH(`attribute3`) <= 100),
  `attribute4` LONGTEXT CHECK (CHAR_LENGTH(`attribute4`) <= 100),
  `attribute5` LONGTEXT CHECK (CHAR_LENGTH(`attribute5`) <= 100),
  `attribute6` LONGTEXT CHECK (CHAR_LENGTH(`attribute6`) <= 100),
  `attribute7` LONGTEXT CHECK (CHAR_LENGTH(`attribute7`) <= 100),
  `attribute8` LONGTEXT CHECK (CHAR_LENGTH(`attribute8`) <= 100),
  `attribute9` LONGTEXT CHECK (CHAR_LENGTH(`attribute9`) <= 100),
  `attribute10` LONGTEXT CHECK (CHAR_LENGTH(`attribute10`) <= 100),
  `attribute11` LONGTEXT CHECK (CHAR_LENGTH(`attribute11`) <= 100),
  `attribute12` LONGTEXT CHECK (CHAR_LENGTH(`attribute12`) <= 100),
  `attribute13` LONGTEXT CHECK (CHAR_LENGTH(`attribute13`) <= 100),
  `attribute14` LONGTEXT CHECK (CHAR_LENGTH(`attribute14`) <= 100),
  `attribute15` LONGTEXT CHECK (CHAR_LENGTH(`attribute15`) <= 100),
  `attribute16` LONGTEXT CHECK (CHAR_LENGTH(`attribute16`) <= 100),
  `attribute17` LONGTEXT CHECK (CHAR_LENGTH(`attribute17`) <= 100),
  `attribute18` LONGTEXT CHECK (CHAR_LENGTH(`attribute18`) <= 100),
  `attribute19` LONGTEXT CHECK (CHAR_LENGTH(`attribute19`) <= 100),
  `attribute20` LONGTEXT CHECK (CHAR_LENGTH(`attribute20`) <= 100),
  `attribute21` LONGTEXT CHECK (CHAR_LENGTH(`attribute21`) <= 100),
  `attribute22` LONGTEXT CHECK (CHAR_LENGTH(`attribute22`) <= 100),
  `attribute23` LONGTEXT CHECK (CHAR_LENGTH(`attribute23`) <= 100),
  `attribute24` LONGTEXT CHECK (CHAR_LENGTH(`attribute24`) <= 100),
  `attribute25` LONGTEXT CHECK (CHAR_LENGTH(`attribute25`) <= 100),
  `attribute26` LONGTEXT CHECK (CHAR_LENGTH(`attribute26`) <= 100),
  `attribute27` LONGTEXT CHECK (CHAR_LENGTH(`attribute27`) <= 100),
  `attribute28` LONGTEXT CHECK (CHAR_LENGTH(`attribute28`) <= 100),
  `attribute29` LONGTEXT CHECK (CHAR_LENGTH(`attribute29`) <= 100),
  `attribute30` LONGTEXT CHECK (CHAR_LENGTH(`attribute30`) <= 100),
  `attribute31` LONGTEXT CHECK (CHAR_LENGTH(`attribute31`) <= 100),
  `attribute32` LONGTEXT CHECK (CHAR_LENGTH(`attribute32`) <= 100),
  `attribute33` LONGTEXT CHECK (CHAR_LENGTH(`attribute33`) <= 100),
  `attribute34` LONGTEXT CHECK (CHAR_LENGTH(`attribute34`) <= 100),
  `attribute35` LONGTEXT CHECK (CHAR_LENGTH(`attribute35`) <= 100),
  `attribute36` LONGTEXT CHECK (CHAR_LENGTH(`attribute36`) <= 100),
  `attribute37` LONGTEXT CHECK (CHAR_LENGTH(`attribute37`) <= 100),
  `attribute38` LONGTEXT CHECK (CHAR_LENGTH(`attribute38`) <= 100),
  `attribute39` LONGTEXT CHECK (CHAR_LENGTH(`attribute39`) <= 100),
  `attribute40` LONGTEXT CHECK (CHAR_LENGTH(`attribute40`) <= 100),
  `attribute41` LONGTEXT CHECK (CHAR_LENGTH(`attribute41`) <= 100),
  `attribute42` LONGTEXT CHECK (CHAR_LENGTH(`attribute42`) <= 100),
  `attribute43` LONGTEXT CHECK (CHAR_LENGTH(`attribute43`) <= 100),
  `attribute44` LONGTEXT CHECK (CHAR_LENGTH(`attribute44`) <= 100),
  `attribute45` LONGTEXT CHECK (CHAR_LENGTH(`attribute45`) <= 100),
  `attribute46` LONGTEXT CHECK (CHAR_LENGTH(`attribute46`) <= 100),
  `attribute47` LONGTEXT CHECK (CHAR_LENGTH(`attribute47`) <= 100),
  `attribute48` LONGTEXT CHECK (CHAR_LENGTH(`attribute48`) <= 100),
  `attribute49` LONGTEXT CHECK (CHAR_LENGTH(`attribute49`) <= 100),
  `attribute50` LONGTEXT CHECK (CHAR_LENGTH(`attribute50`) <= 100),
  `attribute51` LONGTEXT CHECK (CHAR_LENGTH(`attribute51`) <= 100),
  `attribute52` LONGTEXT CHECK (CHAR_LENGTH(`attribute52`) <= 100),
  `attribute53` LONGTEXT CHECK (CHAR_LENGTH(`attribute53`) <= 100),
  `attribute54` LONGTEXT CHECK (CHAR_LENGTH(`attribute54`) <= 100),
  `attribute55` LONGTEXT CHECK (CHAR_LENGTH(`attribute55`) <= 100),
  `attribute56` LONGTEXT CHECK (CHAR_LENGTH(`attribute56`) <= 100),
  `attribute57` LONGTEXT CHECK (CHAR_LENGTH(`attribute57`) <= 100),
  `attribute58` LONGTEXT CHECK (CHAR_LENGTH(`attribute58`) <= 100),
  `attribute59` LONGTEXT CHECK (CHAR_LENGTH(`attribute59`) <= 100),
  `attribute60` LONGTEXT CHECK (CHAR_LENGTH(`attribute60`) <= 100),
  `attribute61` LONGTEXT CHECK (CHAR_LENGTH(`attribute61`) <= 100),
  `attribute62` LONGTEXT CHECK (CHAR_LENGTH(`attribute62`) <= 100),
  `attribute63` LONGTEXT CHECK (CHAR_LENGTH(`attribute63`) <= 100),
  `attribute64` LONGTEXT CHECK (CHAR_LENGTH(`attribute64`) <= 100),
  `attribute65` LONGTEXT CHECK (CHAR_LENGTH(`attribute65`) <= 100),
  `attribute66` LONGTEXT CHECK (CHAR_LENGTH(`attribute66`) <= 100),
  `attribute67` LONGTEXT CHECK (CHAR_LENGTH(`attribute67`) <= 100),
  `attribute68` LONGTEXT CHECK (CHAR_LENGTH(`attribute68`) <= 100),
  `attribute69` LONGTEXT CHECK (CHAR_LENGTH(`attribute69`) <= 100),
  `attribute70` LONGTEXT CHECK (CHAR_LENGTH(`attribute70`) <= 100),
  `attribute71` LONGTEXT CHECK (CHAR_LENGTH(`attribute71`) <= 100),
  `attribute72` LONGTEXT CHECK (CHAR_LENGTH(`attribute72`) <= 100),
  `attribute73` LONGTEXT CHECK (CHAR_LENGTH(`attribute73`) <= 100),
  `attribute74` LONGTEXT CHECK (CHAR_LENGTH(`attribute74`) <= 100),
  `attribute75` LONGTEXT CHECK (CHAR_LENGTH(`attribute75`) <= 100),
  `attribute76` LONGTEXT CHECK (CHAR_LENGTH(`attribute76`) <= 100),
  `attribute77` LONGTEXT CHECK (CHAR_LENGTH(`attribute77`) <= 100),
  `attribute78` LONGTEXT CHECK (CHAR_LENGTH(`attribute78`) <= 100),
  `attribute79` LONGTEXT CHECK (CHAR_LENGTH(`attribute79`) <= 100),
  `attribute80` LONGTEXT CHECK (CHAR_LENGTH(`attribute80`) <= 100),
  `attribute81` LONGTEXT CHECK (CHAR_LENGTH(`attribute81`) <= 100),
  `attribute82` LONGTEXT CHECK (CHAR_LENGTH(`attribute82`) <= 100),
  `attribute83` LONGTEXT CHECK (CHAR_LENGTH(`attribute83`) <= 100),
  `attribute84` LONGTEXT CHECK (CHAR_LENGTH(`attribute84`) <= 100),
  `attribute85` LONGTEXT CHECK (CHAR_LENGTH(`attribute85`) <= 100),
  `attribute86` LONGTEXT CHECK (CHAR_LENGTH(`attribute86`) <= 100),
  `attribute87` LONGTEXT CHECK (CHAR_LENGTH(`attribute87`) <= 100),
  `attribute88` LONGTEXT CHECK (CHAR_LENGTH(`attribute88`) <= 100),
  `attribute89` LONGTEXT CHECK (CHAR_LENGTH(`attribute89`) <= 100),
  `attribute90` LONGTEXT CHECK (CHAR_LENGTH(`attribute90`) <= 100),
  `attribute91` LONGTEXT CHECK (CHAR_LENGTH(`attribute91`) <= 100),
  `attribute92` LONGTEXT CHECK (CHAR_LENGTH(`attribute92`) <= 100),
  `attribute93` LONGTEXT CHECK (CHAR_LENGTH(`attribute93`) <= 100),
  `attribute94` LONGTEXT CHECK (CHAR_LENGTH(`attribute94`) <= 100),
  `attribute95` LONGTEXT CHECK (CHAR_LENGTH(`attribute95`) <= 100),
  `attribute96` LONGTEXT CHECK (CHAR_LENGTH(`attribute96`) <= 100),
  `attribute97` LONGTEXT CHECK (CHAR_LENGTH(`attribute97`) <= 100),
  `attribute98` LONGTEXT CHECK (CHAR_LENGTH(`attribute98`) <= 100),
  `attribute99` LONGTEXT CHECK (CHAR_LENGTH(`attribute99`) <= 100),
  `attribute100` LONGTEXT CHECK (CHAR_LENGTH(`attribute100`) <= 100),
  `attribute101` LONGTEXT CHECK (CHAR_LENGTH(`attribute101`) <= 100),
  `attribute102` LONGTEXT CHECK (CHAR_LENGTH(`attribute102`) <= 100),
  `attribute103` LONGTEXT CHECK (CHAR_LENGTH(`attribute103`) <= 100),
  `attribute104` LONGTEXT CHECK (CHAR_LENGTH(`attribute104`) <= 100),
  `attribute105` LONGTEXT CHECK (CHAR_LENGTH(`attribute105`) <= 100),
  `attribute106` LONGTEXT CHECK (CHAR_LENGTH(`attribute106`) <= 100),
  `attribute107` LONGTEXT CHECK (CHAR_LENGTH(`attribute107`) <= 100),
  `attribute108` LONGTEXT CHECK (CHAR_LENGTH(`attribute108`) <= 100),
  `attribute109` LONGTEXT CHECK (CHAR_LENGTH(`attribute109`) <= 100),
  `attribute110` LONGTEXT CHECK (CHAR_LENGTH(`attribute110`) <= 100),
  `attribute111` LONGTEXT CHECK (CHAR_LENGTH(`attribute111`) <= 100),
  `attribute112` LONGTEXT CHECK (CHAR_LENGTH(`attribute112`) <= 100),
  `attribute113` LONGTEXT CHECK (CHAR_LENGTH(`attribute113`) <= 100),
  `attribute114` LONGTEXT CHECK (CHAR_LENGTH(`attribute114`) <= 100),
  `attribute115` LONGTEXT CHECK (CHAR_LENGTH(`attribute115`) <= 100),
  `attribute116` LONGTEXT CHECK (CHAR_LENGTH(`attribute116`) <= 100),
  `attribute117` LONGTEXT CHECK (CHAR_LENGTH(`attribute117`) <= 100),
  `attribute118` LONGTEXT CHECK (CHAR_LENGTH(`attribute118`) <= 100),
  `attribute119` LONGTEXT CHECK (CHAR_LENGTH(`attribute119`) <= 100),
  `attribute120` LONGTEXT CHECK (CHAR_LENGTH(`attribute120`) <= 100),
  `attribute121` LONGTEXT CHECK (CHAR_LENGTH(`attribute121`) <= 100),
  `attribute122` LONGTEXT CHECK (CHAR_LENGTH(`attribute122`) <= 100),
  `attribute123` LONGTEXT CHECK (CHAR_LENGTH(`attribute123`) <= 100),
  `attribute124` LONGTEXT CHECK (CHAR_LENGTH(`attribute124`) <= 100),
  `attribute125` LONGTEXT CHECK (CHAR_LENGTH(`attribute125`) <= 100),
  `attribute126` LONGTEXT CHECK (CHAR_LENGTH(`attribute126`) <= 100),
  `attribute127` LONGTEXT CHECK (CHAR_LENGTH(`attribute127`) <= 100),
  `attribute128` LONGTEXT CHECK (CHAR_LENGTH(`attribute128`) <= 100),
  `attribute129` LONGTEXT CHECK (CHAR_LENGTH(`attribute129`) <= 100),
  `attribute130` LONGTEXT CHECK (CHAR_LENGTH(`attribute130`) <= 100),
  `attribute131` LONGTEXT CHECK (CHAR_LENGTH(`attribute131`) <= 100),
  `attribute132` LONGTEXT CHECK (CHAR_LENGTH(`attribute132`) <= 100),
  `attribute133` LONGTEXT CHECK (CHAR_LENGTH(`attribute133`) <= 100),
  `attribute134` LONGTEXT CHECK (CHAR_LENGTH(`attribute134`) <= 100),
  `attribute135` LONGTEXT CHECK (CHAR_LENGTH(`attribute135`) <= 100),
  `attribute136` LONGTEXT CHECK (CHAR_LENGTH(`attribute136`) <= 100),
  `attribute137` LONGTEXT CHECK (CHAR_LENGTH(`attribute137`) <= 100),
  `attribute138` LONGTEXT CHECK (CHAR_LENGTH(`attribute138`) <= 100),
  `attribute139` LONGTEXT CHECK (CHAR_LENGTH(`attribute139`) <= 100),
  `attribute140` LONGTEXT CHECK (CHAR_LENGTH(`attribute140`) <= 100),
  `attribute141` LONGTEXT CHECK (CHAR_LENGTH(`attribute141`) <= 100),
  `attribute142` LONGTEXT CHECK (CHAR_LENGTH(`attribute142`) <= 100),
  `attribute143` VARCHAR(100),
  `attribute144` VARCHAR(100),
  `attribute145` VARCHAR(100),
  `attribute146` VARCHAR(100),
  `attribute147` VARCHAR(100),
  `attribute148` VARCHAR(100),
  `attribute149` VARCHAR(100),
  `attribute150` VARCHAR(100),
  `attribute151` VARCHAR(100),
  `attribute152` VARCHAR(100),
  `attribute153` VARCHAR(100),
  `attribute154` VARCHAR(100),
  `attribute155` VARCHAR(100),
  `attribute156` VARCHAR(100),
  `attribute157` VARCHAR(100),
  `attribute158` VARCHAR(100),
  `attribute159` VARCHAR(100),
  `attribute160` VARCHAR(100),
  `attribute161` VARCHAR(100),
  `attribute162` VARCHAR(100),
  `attribute163` VARCHAR(100),
  `attribute164` VARCHAR(100),
  `attribute165` VARCHAR(100),
  `attribute166` VARCHAR(100),
  `attribute167` VARCHAR(100),
  `attribute168` VARCHAR(100),
  `attribute169` VARCHAR(100),
  `attribute170` VARCHAR(100),
  `attribute171` VARCHAR(100),
  `attribute172` VARCHAR(100),
  `attribute173` VARCHAR(100),
  `attribute174` VARCHAR(100),
  `attribute175` VARCHAR(100),
  `attribute176` VARCHAR(100),
  `attribute177` VARCHAR(100),
  `attribute178` VARCHAR(100),
  `attribute179` VARCHAR(100),
  `attribute180` VARCHAR(100),
  `attribute181` VARCHAR(100),
  `attribute182` VARCHAR(100),
  `attribute183` VARCHAR(100),
  `attribute184` VARCHAR(100),
  `attribute185` VARCHAR(100),
  `attribute186` VARCHAR(100),
  `attribute187` VARCHAR(100),
  `attribute188` VARCHAR(100),
  `attribute189` VARCHAR(100),
  `attribute190` VARCHAR(100),
  `attribute191` VARCHAR(100),
  `attribute192` VARCHAR(100),
  `attribute193` VARCHAR(100),
  `attribute194` VARCHAR(100),
  `attribute195` VARCHAR(100),
  `attribute196` VARCHAR(100),
  `attribute197` VARCHAR(100),
  `attribute198` VARCHAR(100),
  `attribute199` VARCHAR(100),
  `attribute200` VARCHAR(100),
  `attribute201` VARCHAR(100),
  `attribute202` VARCHAR(100),
  `attribute203` VARCHAR(100),
  `attribute204` VARCHAR(100),
  `attribute205` VARCHAR(100),
  `attribute206` VARCHAR(100),
  `attribute207` VARCHAR(100),
  `attribute208` VARCHAR(100),
  `attribute209` VARCHAR(100),
  `attribute210` VARCHAR(100),
  `attribute211` VARCHAR(100),
  `attribute212` VARCHAR(100),
  `attribute213` VARCHAR(100),
  `attribute214` VARCHAR(100),
  `attribute215` VARCHAR(100),
  `attribute216` VARCHAR(100),
  `attribute217` VARCHAR(100),
  `attribute218` VARCHAR(100),
  `attribute219` VARCHAR(100),
  `attribute220` VARCHAR(100),
  `attribute221` VARCHAR(100),
  `attribute222` VARCHAR(100),
  `attribute223` VARCHAR(100),
  `attribute224` VARCHAR(100),
  `attribute225` VARCHAR(100),
  `attribute226` VARCHAR(100),
  `attribute227` VARCHAR(100),
  `attribute228` VARCHAR(100),
  `attribute229` VARCHAR(100),
  `attribute230` VARCHAR(100),
  `attribute231` VARCHAR(100),
  `attribute232` VARCHAR(100),
  `attribute233` VARCHAR(100),
  `attribute234` VARCHAR(100),
  `attribute235` VARCHAR(100),
  `attribute236` VARCHAR(100),
  `attribute237` VARCHAR(100),
  `attribute238` VARCHAR(100),
  `attribute239` VARCHAR(100),
  `attribute240` VARCHAR(100),
  `attribute241` VARCHAR(100),
  `attribute242` VARCHAR(100),
  `attribute243` VARCHAR(100),
  `attribute244` VARCHAR(100),
  `attribute245` VARCHAR(100),
  `attribute246` VARCHAR(100),
  `attribute247` VARCHAR(100),
  `attribute248` VARCHAR(100),
  `attribute249` VARCHAR(100),
  `attribute250` VARCHAR(100),
  `attribute251` VARCHAR(100),
  `attribute252` VARCHAR(100),
  `attribute253` VARCHAR(100),
  `attribute254` VARCHAR(100),
  `attribute255` VARCHAR(100),
  `attribute256` VARCHAR(100),
  `attribute257` VARCHAR(100),
  `attribute258` VARCHAR(100),
  `attribute259` VARCHAR(100),
  `attribute260` VARCHAR(100),
  `attribute261` VARCHAR(100),
  `attribute262` VARCHAR(100),
  `attribute263` VARCHAR(100),
  `attribute264` VARCHAR(100),
  `attribute265` VARCHAR(100),
  `attribute266` VARCHAR(100),
  `attribute267` VARCHAR(100),
  `attribute268` VARCHAR(100),
  `attribute269` VARCHAR(100),
  `attribute270` VARCHAR(100),
  `attribute271` VARCHAR(100),
  `attribute272` VARCHAR(100),
  `attribute273` VARCHAR(100),
  `attribute274` VARCHAR(100),
  `attribute275` VARCHAR(100),
  `attribute276` VARCHAR(100),
  `attribute277` VARCHAR(100),
  `attribute278` VARCHAR(100),
  `attribute279` VARCHAR(100),
  `attribute280` VARCHAR(100),
  `attribute281` VARCHAR(100),
  `attribute282` VARCHAR(100),
  `attribute283` VARCHAR(100),
  `attribute284` VARCHAR(100),
  `attribute285` VARCHAR(100),
  `attribute286` VARCHAR(100),
  `attribute287` VARCHAR(100),
  `attribute288` VARCHAR(100),
  `attribute289` VARCHAR(100),
  `attribute290` VARCHAR(100),
  `attribute291` VARCHAR(100),
  `attribute292` VARCHAR(100),
  `attribute293` VARCHAR(100),
  `attribute294` VARCHAR(100),
  `attribute295` VARCHAR(100),
  `attribute296` VARCHAR(100),
  `attribute297` VARCHAR(100),
  `attribute298` VARCHAR(100),
  `attribute299` VARCHAR(100),
  CONSTRAINT `pk_Wide` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `LessWide` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `attribute0` LONGTEXT CHECK (CHAR_LENGTH(`attribute0`) <= 20),
  `attribute1` LONGTEXT CHECK (CHAR_LENGTH(`attribute1`) <= 20),
  `attribute2` LONGTEXT CHECK (CHAR_LENGTH(`attribute2`) <= 20),
  `attribute3` LONGTEXT CHECK (CHAR_LENGTH(`attribute3`) <= 20),
  `attribute4` LONGTEXT CHECK (CHAR_LENGTH(`attribute4`) <= 20),
  `attribute5` LONGTEXT CHECK (CHAR_LENGTH(`attribute5`) <= 20),
  `attribute6` LONGTEXT CHECK (CHAR_LENGTH(`attribute6`) <= 20),
  `attribute7` LONGTEXT CHECK (CHAR_LENGTH(`attribute7`) <= 20),
  `attribute8` LONGTEXT CHECK (CHAR_LENGTH(`attribute8`) <= 20),
  `attribute9` LONGTEXT CHECK (CHAR_LENGTH(`attribute9`) <= 20),
  `attribute10` LONGTEXT CHECK (CHAR_LENGTH(`attribute10`) <= 20),
  `attribute11` LONGTEXT CHECK (CHAR_LENGTH(`attribute11`) <= 20),
  `attribute12` LONGTEXT CHECK (CHAR_LENGTH(`attribute12`) <= 20),
  `attribute13` LONGTEXT CHECK (CHAR_LENGTH(`attribute13`) <= 20),
  `attribute14` LONGTEXT CHECK (CHAR_LENGTH(`attribute14`) <= 20),
  `attribute15` LONGTEXT CHECK (CHAR_LENGTH(`attribute15`) <= 20),
  `attribute16` LONGTEXT CHECK (CHAR_LENGTH(`attribute16`) <= 20),
  `attribute17` LONGTEXT CHECK (CHAR_LENGTH(`attribute17`) <= 20),
  `attribute18` LONGTEXT CHECK (CHAR_LENGTH(`attribute18`) <= 20),
  `attribute19` LONGTEXT CHECK (CHAR_LENGTH(`attribute19`) <= 20),
  `attribute20` LONGTEXT CHECK (CHAR_LENGTH(`attribute20`) <= 20),
  `attribute21` LONGTEXT CHECK (CHAR_LENGTH(`attribute21`) <= 20),
  `attribute22` LONGTEXT CHECK (CHAR_LENGTH(`attribute22`) <= 20),
  `attribute23` LONGTEXT CHECK (CHAR_LENGTH(`attribute23`) <= 20),
  `attribute24` LONGTEXT CHECK (CHAR_LENGTH(`attribute24`) <= 20),
  `attribute25` LONGTEXT CHECK (CHAR_LENGTH(`attribute25`) <= 20),
  `attribute26` LONGTEXT CHECK (CHAR_LENGTH(`attribute26`) <= 20),
  `attribute27` LONGTEXT CHECK (CHAR_LENGTH(`attribute27`) <= 20),
  `attribute28` LONGTEXT CHECK (CHAR_LENGTH(`attribute28`) <= 20),
  `attribute29` LONGTEXT CHECK (CHAR_LENGTH(`attribute29`) <= 20),
  `attribute30` LONGTEXT CHECK (CHAR_LENGTH(`attribute30`) <= 20),
  `attribute31` LONGTEXT CHECK (CHAR_LENGTH(`attribute31`) <= 20),
  `attribute32` LONGTEXT CHECK (CHAR_LENGTH(`attribute32`) <= 20),
  `attribute33` LONGTEXT CHECK (CHAR_LENGTH(`attribute33`) <= 20),
  `attribute34` LONGTEXT CHECK (CHAR_LENGTH(`attribute34`) <= 20),
  `attribute35` LONGTEXT CHECK (CHAR_LENGTH(`attribute35`) <= 20),
  `attribute36` LONGTEXT CHECK (CHAR_LENGTH(`attribute36`) <= 20),
  `attribute37` LONGTEXT CHECK (CHAR_LENGTH(`attribute37`) <= 20),
  `attribute38` LONGTEXT CHECK (CHAR_LENGTH(`attribute38`) <= 20),
  `attribute39` LONGTEXT CHECK (CHAR_LENGTH(`attribute39`) <= 20),
  `attribute40` LONGTEXT CHECK (CHAR_LENGTH(`attribute40`) <= 20),
  `attribute41` LONGTEXT CHECK (CHAR_LENGTH(`attribute41`) <= 20),
  `attribute42` LONGTEXT CHECK (CHAR_LENGTH(`attribute42`) <= 20),
  `attribute43` LONGTEXT CHECK (CHAR_LENGTH(`attribute43`) <= 20),
  `attribute44` LONGTEXT CHECK (CHAR_LENGTH(`attribute44`) <= 20),
  `attribute45` LONGTEXT CHECK (CHAR_LENGTH(`attribute45`) <= 20),
  `attribute46` LONGTEXT CHECK (CHAR_LENGTH(`attribute46`) <= 20),
  `attribute47` LONGTEXT CHECK (CHAR_LENGTH(`attribute47`) <= 20),
  `attribute48` LONGTEXT CHECK (CHAR_LENGTH(`attribute48`) <= 20),
  `attribute49` LONGTEXT CHECK (CHAR_LENGTH(`attribute49`) <= 20),
  `attribute50` LONGTEXT CHECK (CHAR_LENGTH(`attribute50`) <= 20),
  `attribute51` LONGTEXT CHECK (CHAR_LENGTH(`attribute51`) <= 20),
  `attribute52` LONGTEXT CHECK (CHAR_LENGTH(`attribute52`) <= 20),
  `attribute53` LONGTEXT CHECK (CHAR_LENGTH(`attribute53`) <= 20),
  `attribute54` LONGTEXT CHECK (CHAR_LENGTH(`attribute54`) <= 20),
  `attribute55` LONGTEXT CHECK (CHAR_LENGTH(`attribute55`) <= 20),
  `attribute56` LONGTEXT CHECK (CHAR_LENGTH(`attribute56`) <= 20),
  `attribute57` LONGTEXT CHECK (CHAR_LENGTH(`attribute57`) <= 20),
  `attribute58` LONGTEXT CHECK (CHAR_LENGTH(`attribute58`) <= 20),
  `attribute59` LONGTEXT CHECK (CHAR_LENGTH(`attribute59`) <= 20),
  `attribute60` LONGTEXT CHECK (CHAR_LENGTH(`attribute60`) <= 20),
  `attribute61` LONGTEXT CHECK (CHAR_LENGTH(`attribute61`) <= 20),
  `attribute62` LONGTEXT CHECK (CHAR_LENGTH(`attribute62`) <= 20),
  `attribute63` LONGTEXT CHECK (CHAR_LENGTH(`attribute63`) <= 20),
  `attribute64` LONGTEXT CHECK (CHAR_LENGTH(`attribute64`) <= 20),
  `attribute65` LONGTEXT CHECK (CHAR_LENGTH(`attribute65`) <= 20),
  `attribute66` LONGTEXT CHECK (CHAR_LENGTH(`attribute66`) <= 20),
  `attribute67` LONGTEXT CHECK (CHAR_LENGTH(`attribute67`) <= 20),
  `attribute68` LONGTEXT CHECK (CHAR_LENGTH(`attribute68`) <= 20),
  `attribute69` LONGTEXT CHECK (CHAR_LENGTH(`attribute69`) <= 20),
  `attribute70` LONGTEXT CHECK (CHAR_LENGTH(`attribute70`) <= 20),
  `attribute71` LONGTEXT CHECK (CHAR_LENGTH(`attribute71`) <= 20),
  `attribute72` LONGTEXT CHECK (CHAR_LENGTH(`attribute72`) <= 20),
  `attribute73` LONGTEXT CHECK (CHAR_LENGTH(`attribute73`) <= 20),
  `attribute74` LONGTEXT CHECK (CHAR_LENGTH(`attribute74`) <= 20),
  `attribute75` LONGTEXT CHECK (CHAR_LENGTH(`attribute75`) <= 20),
  `attribute76` LONGTEXT CHECK (CHAR_LENGTH(`attribute76`) <= 20),
  `attribute77` LONGTEXT CHECK (CHAR_LENGTH(`attribute77`) <= 20),
  `attribute78` LONGTEXT CHECK (CHAR_LENGTH(`attribute78`) <= 20),
  `attribute79` LONGTEXT CHECK (CHAR_LENGTH(`attribute79`) <= 20),
  `attribute80` LONGTEXT CHECK (CHAR_LENGTH(`attribute80`) <= 20),
  `attribute81` LONGTEXT CHECK (CHAR_LENGTH(`attribute81`) <= 20),
  `attribute82` LONGTEXT CHECK (CHAR_LENGTH(`attribute82`) <= 20),
  `attribute83` LONGTEXT CHECK (CHAR_LENGTH(`attribute83`) <= 20),
  `attribute84` LONGTEXT CHECK (CHAR_LENGTH(`attribute84`) <= 20),
  `attribute85` LONGTEXT CHECK (CHAR_LENGTH(`attribute85`) <= 20),
  `attribute86` LONGTEXT CHECK (CHAR_LENGTH(`attribute86`) <= 20),
  `attribute87` LONGTEXT CHECK (CHAR_LENGTH(`attribute87`) <= 20),
  `attribute88` LONGTEXT CHECK (CHAR_LENGTH(`attribute88`) <= 20),
  `attribute89` LONGTEXT CHECK (CHAR_LENGTH(`attribute89`) <= 20),
  `attribute90` LONGTEXT CHECK (CHAR_LENGTH(`attribute90`) <= 20),
  `attribute91` LONGTEXT CHECK (CHAR_LENGTH(`attribute91`) <= 20),
  `attribute92` LONGTEXT CHECK (CHAR_LENGTH(`attribute92`) <= 20),
  `attribute93` LONGTEXT CHECK (CHAR_LENGTH(`attribute93`) <= 20),
  `attribute94` LONGTEXT CHECK (CHAR_LENGTH(`attribute94`) <= 20),
  `attribute95` LONGTEXT CHECK (CHAR_LENGTH(`attribute95`) <= 20),
  `attribute96` LONGTEXT CHECK (CHAR_LENGTH(`attribute96`) <= 20),
  `attribute97` LONGTEXT CHECK (CHAR_LENGTH(`attribute97`) <= 20),
  `attribute98` LONGTEXT CHECK (CHAR_LENGTH(`attribute98`) <= 20),
  `attribute99` LONGTEXT CHECK (CHAR_LENGTH(`attribute99`) <= 20),
  `attribute100` LONGTEXT CHECK (CHAR_LENGTH(`attribute100`) <= 20),
  `attribute101` LONGTEXT CHECK (CHAR_LENGTH(`attribute101`) <= 20),
  `attribute102` LONGTEXT CHECK (CHAR_LENGTH(`attribute102`) <= 20),
  `attribute103` LONGTEXT CHECK (CHAR_LENGTH(`attribute103`) <= 20),
  `attribute104` VARCHAR(20),
  `attribute105` VARCHAR(20),
  `attribute106` VARCHAR(20),
  `attribute107` VARCHAR(20),
  `attribute108` VARCHAR(20),
  `attribute109` VARCHAR(20),
  `attribute110` VARCHAR(20),
  `attribute111` VARCHAR(20),
  `attribute112` VARCHAR(20),
  `attribute113` VARCHAR(20),
  `attribute114` VARCHAR(20),
  `attribute115` VARCHAR(20),
  `attribute116` VARCHAR(20),
  `attribute117` VARCHAR(20),
  `attribute118` VARCHAR(20),
  `attribute119` VARCHAR(20),
  `attribute120` VARCHAR(20),
  `attribute121` VARCHAR(20),
  `attribute122` VARCHAR(20),
  `attribute123` VARCHAR(20),
  `attribute124` VARCHAR(20),
  `attribute125` VARCHAR(20),
  `attribute126` VARCHAR(20),
  `attribute127` VARCHAR(20),
  `attribute128` VARCHAR(20),
  `attribute129` VARCHAR(20),
  `attribute130` VARCHAR(20),
  `attribute131` VARCHAR(20),
  `attribute132` VARCHAR(20),
  `attribute133` VARCHAR(20),
  `attribute134` VARCHAR(20),
  `attribute135` VARCHAR(20),
  `attribute136` VARCHAR(20),
  `attribute137` VARCHAR(20),
  `attribute138` VARCHAR(20),
  `attribute139` VARCHAR(20),
  `attribute140` VARCHAR(20),
  `attribute141` VARCHAR(20),
  `attribute142` VARCHAR(20),
  `attribute143` VARCHAR(20),
  `attribute144` VARCHAR(20),
  `attribute145` VARCHAR(20),
  `attribute146` VARCHAR(20),
  `attribute147` VARCHAR(20),
  `attribute148` VARCHAR(20),
  `attribute149` VARCHAR(20),
  CONSTRAINT `pk_LessWide` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Linked` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `indexed` VARCHAR(255) NOT NULL,
  `link0` BIGINT,
  `link1` BIGINT,
  `link2` BIGINT,
  `link3` BIGINT,
  `link4` BIGINT,
  `link5` BIGINT,
  `link6` BIGINT,
  `link7` BIGINT,
  `link8` BIGINT,
  `link9` BIGINT,
  `link10` BIGINT,
  `link11` BIGINT,
  `link12` BIGINT,
  `link13` BIGINT,
  `link14` BIGINT,
  `link15` BIGINT,
  `link16` BIGINT,
  `link17` BIGINT,
  `link18` BIGINT,
  `link19` BIGINT,
  `link20` BIGINT,
  `link21` BIGINT,
  `link22` BIGINT,
  `link23` BIGINT,
  `link24` BIGINT,
  `link25` BIGINT,
  `link26` BIGINT,
  `link27` BIGINT,
  `link28` BIGINT,
  `link29` BIGINT,
  `link30` BIGINT,
  `link31` BIGINT,
  `link32` BIGINT,
  `link33` BIGINT,
  `link34` BIGINT,
  `link35` BIGINT,
  `link36` BIGINT,
  `link37` BIGINT,
  `link38` BIGINT,
  `link39` BIGINT,
  `link40` BIGINT,
  `link41` BIGINT,
  `link42` BIGINT,
  `link43` BIGINT,
  `link44` BIGINT,
  `link45` BIGINT,
  `link46` BIGINT,
  `link47` BIGINT,
  `link48` BIGINT,
  `link49` BIGINT,
  `link50` BIGINT,
  `link51` BIGINT,
  `link52` BIGINT,
  `link53` BIGINT,
  `link54` BIGINT,
  `link55` BIGINT,
  `link56` BIGINT,
  `link57` BIGINT,
  `link58` BIGINT,
  `link59` BIGINT,
  `link60` BIGINT,
  `link61` BIGINT,
  `link62` BIGINT,
  `link63` BIGINT,
  `link64` BIGINT,
  CONSTRAINT `pk_Linked` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Linked`
  ADD INDEX `ix_Linked_link0` (`link0`),
  ADD INDEX `ix_Linked_link1` (`link1`),
  ADD INDEX `ix_Linked_link2` (`link2`),
  ADD INDEX `ix_Linked_link3` (`link3`),
  ADD INDEX `ix_Linked_link4` (`link4`),
  ADD INDEX `ix_Linked_link5` (`link5`),
  ADD INDEX `ix_Linked_link6` (`link6`),
  ADD INDEX `ix_Linked_link7` (`link7`),
  ADD INDEX `ix_Linked_link8` (`link8`),
  ADD INDEX `ix_Linked_link9` (`link9`),
  ADD INDEX `ix_Linked_link10` (`link10`),
  ADD INDEX `ix_Linked_link11` (`link11`),
  ADD INDEX `ix_Linked_link12` (`link12`),
  ADD INDEX `ix_Linked_link13` (`link13`),
  ADD INDEX `ix_Linked_link14` (`link14`),
  ADD INDEX `ix_Linked_link15` (`link15`),
  ADD INDEX `ix_Linked_link16` (`link16`),
  ADD INDEX `ix_Linked_link17` (`link17`),
  ADD INDEX `ix_Linked_link18` (`link18`),
  ADD INDEX `ix_Linked_link19` (`link19`),
  ADD INDEX `ix_Linked_link20` (`link20`),
  ADD INDEX `ix_Linked_link21` (`link21`),
  ADD INDEX `ix_Linked_link22` (`link22`),
  ADD INDEX `ix_Linked_link23` (`link23`),
  ADD INDEX `ix_Linked_link24` (`link24`),
  ADD INDEX `ix_Linked_link25` (`link25`),
  ADD INDEX `ix_Linked_link26` (`link26`),
  ADD INDEX `ix_Linked_link27` (`link27`),
  ADD INDEX `ix_Linked_link28` (`link28`),
  ADD INDEX `ix_Linked_link29` (`link29`),
  ADD INDEX `ix_Linked_link30` (`link30`),
  ADD INDEX `ix_Linked_link31` (`link31`),
  ADD INDEX `ix_Linked_link32` (`link32`),
  ADD INDEX `ix_Linked_link33` (`link33`),
  ADD INDEX `ix_Linked_link34` (`link34`),
  ADD INDEX `ix_Linked_link35` (`link35`),
  ADD INDEX `ix_Linked_link36` (`link36`),
  ADD INDEX `ix_Linked_link37` (`link37`),
  ADD INDEX `ix_Linked_link38` (`link38`),
  ADD INDEX `ix_Linked_link39` (`link39`),
  ADD INDEX `ix_Linked_link40` (`link40`),
  ADD INDEX `ix_Linked_link41` (`link41`),
  ADD INDEX `ix_Linked_link42` (`link42`),
  ADD INDEX `ix_Linked_link43` (`link43`),
  ADD INDEX `ix_Linked_link44` (`link44`),
  ADD INDEX `ix_Linked_link45` (`link45`),
  ADD INDEX `ix_Linked_link46` (`link46`),
  ADD INDEX `ix_Linked_link47` (`link47`),
  ADD INDEX `ix_Linked_link48` (`link48`),
  ADD INDEX `ix_Linked_link49` (`link49`),
  ADD INDEX `ix_Linked_link50` (`link50`),
  ADD INDEX `ix_Linked_link51` (`link51`),
  ADD INDEX `ix_Linked_link52` (`link52`),
  ADD INDEX `ix_Linked_link53` (`link53`),
  ADD INDEX `ix_Linked_link54` (`link54`),
  ADD INDEX `ix_Linked_link55` (`link55`),
  ADD INDEX `ix_Linked_link56` (`link56`),
  ADD INDEX `ix_Linked_link57` (`link57`),
  ADD INDEX `ix_Linked_link58` (`link58`),
  ADD INDEX `ix_Linked_link59` (`link59`),
  ADD INDEX `ix_Linked_link60` (`link60`),
  ADD INDEX `ix_Linked_link61` (`link61`),
  ADD INDEX `ix_Linked_link62` (`link62`);

ALTER TABLE `Linked`
  ADD CONSTRAINT `fk_Linked_link0` FOREIGN KEY (`link0`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link1` FOREIGN KEY (`link1`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link2` FOREIGN KEY (`link2`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link3` FOREIGN KEY (`link3`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link4` FOREIGN KEY (`link4`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link5` FOREIGN KEY (`link5`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link6` FOREIGN KEY (`link6`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link7` FOREIGN KEY (`link7`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link8` FOREIGN KEY (`link8`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link9` FOREIGN KEY (`link9`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link10` FOREIGN KEY (`link10`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link11` FOREIGN KEY (`link11`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link12` FOREIGN KEY (`link12`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link13` FOREIGN KEY (`link13`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link14` FOREIGN KEY (`link14`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link15` FOREIGN KEY (`link15`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link16` FOREIGN KEY (`link16`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link17` FOREIGN KEY (`link17`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link18` FOREIGN KEY (`link18`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link19` FOREIGN KEY (`link19`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link20` FOREIGN KEY (`link20`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link21` FOREIGN KEY (`link21`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link22` FOREIGN KEY (`link22`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link23` FOREIGN KEY (`link23`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link24` FOREIGN KEY (`link24`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link25` FOREIGN KEY (`link25`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link26` FOREIGN KEY (`link26`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link27` FOREIGN KEY (`link27`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link28` FOREIGN KEY (`link28`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link29` FOREIGN KEY (`link29`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link30` FOREIGN KEY (`link30`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link31` FOREIGN KEY (`link31`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link32` FOREIGN KEY (`link32`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link33` FOREIGN KEY (`link33`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link34` FOREIGN KEY (`link34`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link35` FOREIGN KEY (`link35`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link36` FOREIGN KEY (`link36`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link37` FOREIGN KEY (`link37`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link38` FOREIGN KEY (`link38`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link39` FOREIGN KEY (`link39`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link40` FOREIGN KEY (`link40`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link41` FOREIGN KEY (`link41`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link42` FOREIGN KEY (`link42`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link43` FOREIGN KEY (`link43`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link44` FOREIGN KEY (`link44`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link45` FOREIGN KEY (`link45`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link46` FOREIGN KEY (`link46`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link47` FOREIGN KEY (`link47`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link48` FOREIGN KEY (`link48`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link49` FOREIGN KEY (`link49`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link50` FOREIGN KEY (`link50`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link51` FOREIGN KEY (`link51`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link52` FOREIGN KEY (`link52`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link53` FOREIGN KEY (`link53`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link54` FOREIGN KEY (`link54`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link55` FOREIGN KEY (`link55`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link56` FOREIGN KEY (`link56`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link57` FOREIGN KEY (`link57`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link58` FOREIGN KEY (`link58`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link59` FOREIGN KEY (`link59`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link60` FOREIGN KEY (`link60`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link61` FOREIGN KEY (`link61`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Linked_link62` FOREIGN KEY (`link62`) REFERENCES `LessWide` (`id`) ON DELETE RESTRICT;

-- 253 notes: differences of this schema from the model.
-- Linked.indexed: 'indexed' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Wide.attribute0: 'attribute0' is stored as text with a checked length on this database.
-- Wide.attribute1: 'attribute1' is stored as text with a checked length on this database.
-- Wide.attribute2: 'attribute2' is stored as text with a checked length on this database.
-- Wide.attribute3: 'attribute3' is stored as text with a checked length on this database.
-- Wide.attribute4: 'attribute4' is stored as text with a checked length on this database.
-- Wide.attribute5: 'attribute5' is stored as text with a checked length on this database.
-- Wide.attribute6: 'attribute6' is stored as text with a checked length on this database.
-- Wide.attribute7: 'attribute7' is stored as text with a checked length on this database.
-- Wide.attribute8: 'attribute8' is stored as text with a checked length on this database.
-- Wide.attribute9: 'attribute9' is stored as text with a checked length on this database.
-- Wide.attribute10: 'attribute10' is stored as text with a checked length on this database.
-- Wide.attribute11: 'attribute11' is stored as text with a checked length on this database.
-- Wide.attribute12: 'attribute12' is stored as text with a checked length on this database.
-- Wide.attribute13: 'attribute13' is stored as text with a checked length on this database.
-- Wide.attribute14: 'attribute14' is stored as text with a checked length on this database.
-- Wide.attribute15: 'attribute15' is stored as text with a checked length on this database.
-- Wide.attribute16: 'attribute16' is stored as text with a checked length on this database.
-- Wide.attribute17: 'attribute17' is stored as text with a checked length on this database.
-- Wide.attribute18: 'attribute18' is stored as text with a checked length on this database.
-- Wide.attribute19: 'attribute19' is stored as text with a checked length on this database.
-- Wide.attribute20: 'attribute20' is stored as text with a checked length on this database.
-- Wide.attribute21: 'attribute21' is stored as text with a checked length on this database.
-- Wide.attribute22: 'attribute22' is stored as text with a checked length on this database.
-- Wide.attribute23: 'attribute23' is stored as text with a checked length on this database.
-- Wide.attribute24: 'attribute24' is stored as text with a checked length on this database.
-- Wide.attribute25: 'attribute25' is stored as text with a checked length on this database.
-- Wide.attribute26: 'attribute26' is stored as text with a checked length on this database.
-- Wide.attribute27: 'attribute27' is stored as text with a checked length on this database.
-- Wide.attribute28: 'attribute28' is stored as text with a checked length on this database.
-- Wide.attribute29: 'attribute29' is stored as text with a checked length on this database.
-- Wide.attribute30: 'attribute30' is stored as text with a checked length on this database.
-- Wide.attribute31: 'attribute31' is stored as text with a checked length on this database.
-- Wide.attribute32: 'attribute32' is stored as text with a checked length on this database.
-- Wide.attribute33: 'attribute33' is stored as text with a checked length on this database.
-- Wide.attribute34: 'attribute34' is stored as text with a checked length on this database.
-- Wide.attribute35: 'attribute35' is stored as text with a checked length on this database.
-- Wide.attribute36: 'attribute36' is stored as text with a checked length on this database.
-- Wide.attribute37: 'attribute37' is stored as text with a checked length on this database.
-- Wide.attribute38: 'attribute38' is stored as text with a checked length on this database.
-- Wide.attribute39: 'attribute39' is stored as text with a checked length on this database.
-- Wide.attribute40: 'attribute40' is stored as text with a checked length on this database.
-- Wide.attribute41: 'attribute41' is stored as text with a checked length on this database.
-- Wide.attribute42: 'attribute42' is stored as text with a checked length on this database.
-- Wide.attribute43: 'attribute43' is stored as text with a checked length on this database.
-- Wide.attribute44: 'attribute44' is stored as text with a checked length on this database.
-- Wide.attribute45: 'attribute45' is stored as text with a checked length on this database.
-- Wide.attribute46: 'attribute46' is stored as text with a checked length on this database.
-- Wide.attribute47: 'attribute47' is stored as text with a checked length on this database.
-- Wide.attribute48: 'attribute48' is stored as text with a checked length on this database.
-- Wide.attribute49: 'attribute49' is stored as text with a checked length on this database.
-- Wide.attribute50: 'attribute50' is stored as text with a checked length on this database.
-- Wide.attribute51: 'attribute51' is stored as text with a checked length on this database.
-- Wide.attribute52: 'attribute52' is stored as text with a checked length on this database.
-- Wide.attribute53: 'attribute53' is stored as text with a checked length on this database.
-- Wide.attribute54: 'attribute54' is stored as text with a checked length on this database.
-- Wide.attribute55: 'attribute55' is stored as text with a checked length on this database.
-- Wide.attribute56: 'attribute56' is stored as text with a checked length on this database.
-- Wide.attribute57: 'attribute57' is stored as text with a checked length on this database.
-- Wide.attribute58: 'attribute58' is stored as text with a checked length on this database.
-- Wide.attribute59: 'attribute59' is stored as text with a checked length on this database.
-- Wide.attribute60: 'attribute60' is stored as text with a checked length on this database.
-- Wide.attribute61: 'attribute61' is stored as text with a checked length on this database.
-- Wide.attribute62: 'attribute62' is stored as text with a checked length on this database.
-- Wide.attribute63: 'attribute63' is stored as text with a checked length on this database.
-- Wide.attribute64: 'attribute64' is stored as text with a checked length on this database.
-- Wide.attribute65: 'attribute65' is stored as text with a checked length on this database.
-- Wide.attribute66: 'attribute66' is stored as text with a checked length on this database.
-- Wide.attribute67: 'attribute67' is stored as text with a checked length on this database.
-- Wide.attribute68: 'attribute68' is stored as text with a checked length on this database.
-- Wide.attribute69: 'attribute69' is stored as text with a checked length on this database.
-- Wide.attribute70: 'attribute70' is stored as text with a checked length on this database.
-- Wide.attribute71: 'attribute71' is stored as text with a checked length on this database.
-- Wide.attribute72: 'attribute72' is stored as text with a checked length on this database.
-- Wide.attribute73: 'attribute73' is stored as text with a checked length on this database.
-- Wide.attribute74: 'attribute74' is stored as text with a checked length on this database.
-- Wide.attribute75: 'attribute75' is stored as text with a checked length on this database.
-- Wide.attribute76: 'attribute76' is stored as text with a checked length on this database.
-- Wide.attribute77: 'attribute77' is stored as text with a checked length on this database.
-- Wide.attribute78: 'attribute78' is stored as text with a checked length on this database.
-- Wide.attribute79: 'attribute79' is stored as text with a checked length on this database.
-- Wide.attribute80: 'attribute80' is stored as text with a checked length on this database.
-- Wide.attribute81: 'attribute81' is stored as text with a checked length on this database.
-- Wide.attribute82: 'attribute82' is stored as text with a checked length on this database.
-- Wide.attribute83: 'attribute83' is stored as text with a checked length on this database.
-- Wide.attribute84: 'attribute84' is stored as text with a checked length on this database.
-- Wide.attribute85: 'attribute85' is stored as text with a checked length on this database.
-- Wide.attribute86: 'attribute86' is stored as text with a checked length on this database.
-- Wide.attribute87: 'attribute87' is stored as text with a checked length on this database.
-- Wide.attribute88: 'attribute88' is stored as text with a checked length on this database.
-- Wide.attribute89: 'attribute89' is stored as text with a checked length on this database.
-- Wide.attribute90: 'attribute90' is stored as text with a checked length on this database.
-- Wide.attribute91: 'attribute91' is stored as text with a checked length on this database.
-- Wide.attribute92: 'attribute92' is stored as text with a checked length on this database.
-- Wide.attribute93: 'attribute93' is stored as text with a checked length on this database.
-- Wide.attribute94: 'attribute94' is stored as text with a checked length on this database.
-- Wide.attribute95: 'attribute95' is stored as text with a checked length on this database.
-- Wide.attribute96: 'attribute96' is stored as text with a checked length on this database.
-- Wide.attribute97: 'attribute97' is stored as text with a checked length on this database.
-- Wide.attribute98: 'attribute98' is stored as text with a checked length on this database.
-- Wide.attribute99: 'attribute99' is stored as text with a checked length on this database.
-- Wide.attribute100: 'attribute100' is stored as text with a checked length on this database.
-- Wide.attribute101: 'attribute101' is stored as text with a checked length on this database.
-- Wide.attribute102: 'attribute102' is stored as text with a checked length on this database.
-- Wide.attribute103: 'attribute103' is stored as text with a checked length on this database.
-- Wide.attribute104: 'attribute104' is stored as text with a checked length on this database.
-- Wide.attribute105: 'attribute105' is stored as text with a checked length on this database.
-- Wide.attribute106: 'attribute106' is stored as text with a checked length on this database.
-- Wide.attribute107: 'attribute107' is stored as text with a checked length on this database.
-- Wide.attribute108: 'attribute108' is stored as text with a checked length on this database.
-- Wide.attribute109: 'attribute109' is stored as text with a checked length on this database.
-- Wide.attribute110: 'attribute110' is stored as text with a checked length on this database.
-- Wide.attribute111: 'attribute111' is stored as text with a checked length on this database.
-- Wide.attribute112: 'attribute112' is stored as text with a checked length on this database.
-- Wide.attribute113: 'attribute113' is stored as text with a checked length on this database.
-- Wide.attribute114: 'attribute114' is stored as text with a checked length on this database.
-- Wide.attribute115: 'attribute115' is stored as text with a checked length on this database.
-- Wide.attribute116: 'attribute116' is stored as text with a checked length on this database.
-- Wide.attribute117: 'attribute117' is stored as text with a checked length on this database.
-- Wide.attribute118: 'attribute118' is stored as text with a checked length on this database.
-- Wide.attribute119: 'attribute119' is stored as text with a checked length on this database.
-- Wide.attribute120: 'attribute120' is stored as text with a checked length on this database.
-- Wide.attribute121: 'attribute121' is stored as text with a checked length on this database.
-- Wide.attribute122: 'attribute122' is stored as text with a checked length on this database.
-- Wide.attribute123: 'attribute123' is stored as text with a checked length on this database.
-- Wide.attribute124: 'attribute124' is stored as text with a checked length on this database.
-- Wide.attribute125: 'attribute125' is stored as text with a checked length on this database.
-- Wide.attribute126: 'attribute126' is stored as text with a checked length on this database.
-- Wide.attribute127: 'attribute127' is stored as text with a checked length on this database.
-- Wide.attribute128: 'attribute128' is stored as text with a checked length on this database.
-- Wide.attribute129: 'attribute129' is stored as text with a checked length on this database.
-- Wide.attribute130: 'attribute130' is stored as text with a checked length on this database.
-- Wide.attribute131: 'attribute131' is stored as text with a checked length on this database.
-- Wide.attribute132: 'attribute132' is stored as text with a checked length on this database.
-- Wide.attribute133: 'attribute133' is stored as text with a checked length on this database.
-- Wide.attribute134: 'attribute134' is stored as text with a checked length on this database.
-- Wide.attribute135: 'attribute135' is stored as text with a checked length on this database.
-- Wide.attribute136: 'attribute136' is stored as text with a checked length on this database.
-- Wide.attribute137: 'attribute137' is stored as text with a checked length on this database.
-- Wide.attribute138: 'attribute138' is stored as text with a checked length on this database.
-- Wide.attribute139: 'attribute139' is stored as text with a checked length on this database.
-- Wide.attribute140: 'attribute140' is stored as text with a checked length on this database.
-- Wide.attribute141: 'attribute141' is stored as text with a checked length on this database.
-- Wide.attribute142: 'attribute142' is stored as text with a checked length on this database.
-- Wide: A row of the table 'Wide' may exceed the row size of this database.
-- LessWide.attribute0: 'attribute0' is stored as text with a checked length on this database.
-- LessWide.attribute1: 'attribute1' is stored as text with a checked length on this database.
-- LessWide.attribute2: 'attribute2' is stored as text with a checked length on this database.
-- LessWide.attribute3: 'attribute3' is stored as text with a checked length on this database.
-- LessWide.attribute4: 'attribute4' is stored as text with a checked length on this database.
-- LessWide.attribute5: 'attribute5' is stored as text with a checked length on this database.
-- LessWide.attribute6: 'attribute6' is stored as text with a checked length on this database.
-- LessWide.attribute7: 'attribute7' is stored as text with a checked length on this database.
-- LessWide.attribute8: 'attribute8' is stored as text with a checked length on this database.
-- LessWide.attribute9: 'attribute9' is stored as text with a checked length on this database.
-- LessWide.attribute10: 'attribute10' is stored as text with a checked length on this database.
-- LessWide.attribute11: 'attribute11' is stored as text with a checked length on this database.
-- LessWide.attribute12: 'attribute12' is stored as text with a checked length on this database.
-- LessWide.attribute13: 'attribute13' is stored as text with a checked length on this database.
-- LessWide.attribute14: 'attribute14' is stored as text with a checked length on this database.
-- LessWide.attribute15: 'attribute15' is stored as text with a checked length on this database.
-- LessWide.attribute16: 'attribute16' is stored as text with a checked length on this database.
-- LessWide.attribute17: 'attribute17' is stored as text with a checked length on this database.
-- LessWide.attribute18: 'attribute18' is stored as text with a checked length on this database.
-- LessWide.attribute19: 'attribute19' is stored as text with a checked length on this database.
-- LessWide.attribute20: 'attribute20' is stored as text with a checked length on this database.
-- LessWide.attribute21: 'attribute21' is stored as text with a checked length on this database.
-- LessWide.attribute22: 'attribute22' is stored as text with a checked length on this database.
-- LessWide.attribute23: 'attribute23' is stored as text with a checked length on this database.
-- LessWide.attribute24: 'attribute24' is stored as text with a checked length on this database.
-- LessWide.attribute25: 'attribute25' is stored as text with a checked length on this database.
-- LessWide.attribute26: 'attribute26' is stored as text with a checked length on this database.
-- LessWide.attribute27: 'attribute27' is stored as text with a checked length on this database.
-- LessWide.attribute28: 'attribute28' is stored as text with a checked length on this database.
-- LessWide.attribute29: 'attribute29' is stored as text with a checked length on this database.
-- LessWide.attribute30: 'attribute30' is stored as text with a checked length on this database.
-- LessWide.attribute31: 'attribute31' is stored as text with a checked length on this database.
-- LessWide.attribute32: 'attribute32' is stored as text with a checked length on this database.
-- LessWide.attribute33: 'attribute33' is stored as text with a checked length on this database.
-- LessWide.attribute34: 'attribute34' is stored as text with a checked length on this database.
-- LessWide.attribute35: 'attribute35' is stored as text with a checked length on this database.
-- LessWide.attribute36: 'attribute36' is stored as text with a checked length on this database.
-- LessWide.attribute37: 'attribute37' is stored as text with a checked length on this database.
-- LessWide.attribute38: 'attribute38' is stored as text with a checked length on this database.
-- LessWide.attribute39: 'attribute39' is stored as text with a checked length on this database.
-- LessWide.attribute40: 'attribute40' is stored as text with a checked length on this database.
-- LessWide.attribute41: 'attribute41' is stored as text with a checked length on this database.
-- LessWide.attribute42: 'attribute42' is stored as text with a checked length on this database.
-- LessWide.attribute43: 'attribute43' is stored as text with a checked length on this database.
-- LessWide.attribute44: 'attribute44' is stored as text with a checked length on this database.
-- LessWide.attribute45: 'attribute45' is stored as text with a checked length on this database.
-- LessWide.attribute46: 'attribute46' is stored as text with a checked length on this database.
-- LessWide.attribute47: 'attribute47' is stored as text with a checked length on this database.
-- LessWide.attribute48: 'attribute48' is stored as text with a checked length on this database.
-- LessWide.attribute49: 'attribute49' is stored as text with a checked length on this database.
-- LessWide.attribute50: 'attribute50' is stored as text with a checked length on this database.
-- LessWide.attribute51: 'attribute51' is stored as text with a checked length on this database.
-- LessWide.attribute52: 'attribute52' is stored as text with a checked length on this database.
-- LessWide.attribute53: 'attribute53' is stored as text with a checked length on this database.
-- LessWide.attribute54: 'attribute54' is stored as text with a checked length on this database.
-- LessWide.attribute55: 'attribute55' is stored as text with a checked length on this database.
-- LessWide.attribute56: 'attribute56' is stored as text with a checked length on this database.
-- LessWide.attribute57: 'attribute57' is stored as text with a checked length on this database.
-- LessWide.attribute58: 'attribute58' is stored as text with a checked length on this database.
-- LessWide.attribute59: 'attribute59' is stored as text with a checked length on this database.
-- LessWide.attribute60: 'attribute60' is stored as text with a checked length on this database.
-- LessWide.attribute61: 'attribute61' is stored as text with a checked length on this database.
-- LessWide.attribute62: 'attribute62' is stored as text with a checked length on this database.
-- LessWide.attribute63: 'attribute63' is stored as text with a checked length on this database.
-- LessWide.attribute64: 'attribute64' is stored as text with a checked length on this database.
-- LessWide.attribute65: 'attribute65' is stored as text with a checked length on this database.
-- LessWide.attribute66: 'attribute66' is stored as text with a checked length on this database.
-- LessWide.attribute67: 'attribute67' is stored as text with a checked length on this database.
-- LessWide.attribute68: 'attribute68' is stored as text with a checked length on this database.
-- LessWide.attribute69: 'attribute69' is stored as text with a checked length on this database.
-- LessWide.attribute70: 'attribute70' is stored as text with a checked length on this database.
-- LessWide.attribute71: 'attribute71' is stored as text with a checked length on this database.
-- LessWide.attribute72: 'attribute72' is stored as text with a checked length on this database.
-- LessWide.attribute73: 'attribute73' is stored as text with a checked length on this database.
-- LessWide.attribute74: 'attribute74' is stored as text with a checked length on this database.
-- LessWide.attribute75: 'attribute75' is stored as text with a checked length on this database.
-- LessWide.attribute76: 'attribute76' is stored as text with a checked length on this database.
-- LessWide.attribute77: 'attribute77' is stored as text with a checked length on this database.
-- LessWide.attribute78: 'attribute78' is stored as text with a checked length on this database.
-- LessWide.attribute79: 'attribute79' is stored as text with a checked length on this database.
-- LessWide.attribute80: 'attribute80' is stored as text with a checked length on this database.
-- LessWide.attribute81: 'attribute81' is stored as text with a checked length on this database.
-- LessWide.attribute82: 'attribute82' is stored as text with a checked length on this database.
-- LessWide.attribute83: 'attribute83' is stored as text with a checked length on this database.
-- LessWide.attribute84: 'attribute84' is stored as text with a checked length on this database.
-- LessWide.attribute85: 'attribute85' is stored as text with a checked length on this database.
-- LessWide.attribute86: 'attribute86' is stored as text with a checked length on this database.
-- LessWide.attribute87: 'attribute87' is stored as text with a checked length on this database.
-- LessWide.attribute88: 'attribute88' is stored as text with a checked length on this database.
-- LessWide.attribute89: 'attribute89' is stored as text with a checked length on this database.
-- LessWide.attribute90: 'attribute90' is stored as text with a checked length on this database.
-- LessWide.attribute91: 'attribute91' is stored as text with a checked length on this database.
-- LessWide.attribute92: 'attribute92' is stored as text with a checked length on this database.
-- LessWide.attribute93: 'attribute93' is stored as text with a checked length on this database.
-- LessWide.attribute94: 'attribute94' is stored as text with a checked length on this database.
-- LessWide.attribute95: 'attribute95' is stored as text with a checked length on this database.
-- LessWide.attribute96: 'attribute96' is stored as text with a checked length on this database.
-- LessWide.attribute97: 'attribute97' is stored as text with a checked length on this database.
-- LessWide.attribute98: 'attribute98' is stored as text with a checked length on this database.
-- LessWide.attribute99: 'attribute99' is stored as text with a checked length on this database.
-- LessWide.attribute100: 'attribute100' is stored as text with a checked length on this database.
-- LessWide.attribute101: 'attribute101' is stored as text with a checked length on this database.
-- LessWide.attribute102: 'attribute102' is stored as text with a checked length on this database.
-- LessWide.attribute103: 'attribute103' is stored as text with a checked length on this database.
-- Linked.indexed: 'indexed' gets no index and no constraint: this database allows 64 keys per table.
-- Linked.link63: 'link63' gets no index and no constraint: this database allows 64 keys per table.
-- Linked.link64: 'link64' gets no index and no constraint: this database allows 64 keys per table.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
