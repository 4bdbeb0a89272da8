import type { CdmFormat } from './data-types.ts'

/**
 * Built-in standard definitions of the Common Data Model that reading needs: the format of each data type. Standard
 * documents inside a folder take precedence.
 */
const typesByFormat: readonly (readonly [CdmFormat, string])[] = [
  ['Boolean', 'boolean'],
  ['Int16', 'smallInteger'],
  [
    'Int32',
    `integer unsignedInteger listLookup listLookupCorrelated displayOrder integerCalendarPart day week tenday month quarter
    trimester year minute minutes hour age`,
  ],
  ['Int64', 'bigInteger JSInteger cdsVersionNumber'],
  ['Byte', 'byte'],
  ['Float', 'float'],
  [
    'Double',
    `double latitude longitude second meter kilogram ampere kelvin mole candela hertz radian newton pascal joule watt coulomb
    volt farad ohm microSecond milliSecond millimeter centimeter kilometer gram milligram microampere milliampere celsius kilohertz
    megahertz gigahertz degree kilopascal megapascal gigapascal milliwatt kilowatt megawatt millivolt kilovolt megavolt microfarad
    nanofarad picofarad kiloOhm megaOhm inches`,
  ],
  ['Decimal', 'decimal fixedDecimal variableDecimal currency baseCurrency'],
  ['Date', 'date'],
  ['Time', 'time'],
  ['DateTime', 'dateTime birthDate'],
  ['DateTimeOffset', 'dateTimeOffset'],
  ['Binary', 'binary image'],
  ['Json', 'json'],
  ['Char', 'char sChar'],
  ['Guid', 'guid entityId userId fileId partylist'],
  [
    'String',
    `string fileName entityName attributeName list language languageTag cultureTag localizedDisplayText
    localizedDisplayTextMultiple url uri gender ethnicity maritalStatus stringFormat xml governmentId name companyName firstName
    fullName lastName middleName email phone phoneCell phoneFax tickerSymbol IP4Address IP6Address addressLine city country county
    postalCode stateOrProvince timezone currencyCode colorName listLookupMultiple listLookupString listLookupWellKnown`,
  ],
  ['Unknown', 'any object cdmObject trait dataType purpose entity attribute attributeGroup'],
]

export const standardTypes: ReadonlyMap<string, CdmFormat> = new Map(
  typesByFormat.flatMap(([format, names]) => names.split(/\s+/).map((name): [string, CdmFormat] => [name, format])),
)

/** Root of all entities: it has no attributes and needs no import. */
export const rootEntity = 'CdmEntity'

/** Whether a folder may import the document without containing it. */
export function isStandardDocument(path: string): boolean {
  return /^\/(?:foundations|primitives|meanings(?:\.[a-z]+)?|core\/cdsConcepts)\.cdm\.json$/i.test(path)
}
