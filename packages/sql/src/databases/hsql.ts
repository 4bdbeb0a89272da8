import { type DatabaseKind, words } from '../database-kind.ts'
import { byKind, expressionByKind } from '../column-types.ts'
import { type Dialect, lengthCheck, standard } from '../dialect.ts'
import { located, splitByPlace, standardWords } from '../condition-sql.ts'
import { utf16Of } from '../names.ts'
import {
  comparedScale,
  keyInMessage,
  nullsLast,
  ofState,
  property,
  type QueryDialect,
  spacedMoment,
  standardQueries,
} from '../queries/dialect.ts'

const violatedName = keyInMessage(/constraint or index violation ; "?(.*?)"? table: /)

/** HSQLDB 2.4 and later. Every parameter is sent as text. */
const queries: QueryDialect = {
  ...standardQueries,
  bind: (placeholder, type) =>
    type.kind === 'binary' ? `HEXTORAW(${placeholder})` : `CAST(${placeholder} AS ${castOf(type)})`,
  value: literal => {
    if (typeof literal.value === 'boolean') return literal.value ? 'true' : 'false'
    return literal.kind === 'instant' ? `${spacedMoment(literal)}+0:00` : spacedMoment(literal)
  },
  read: expressionByKind(
    {
      integer: (column, { bits }) => (bits === 64 ? `CAST(${column} AS VARCHAR(20))` : column),
      decimal: column => `CAST(${column} AS VARCHAR(2100))`,
      // The hour may have one digit.
      time: column => `RIGHT('0' || CAST(CAST(${column} AS TIME(6)) AS VARCHAR(40)), 15)`,
      date: column => `CAST(${column} AS VARCHAR(40))`,
      timestamp: column => `CAST(${column} AS VARCHAR(40))`,
      instant: column =>
        `CAST(CAST(${column} AT TIME ZONE INTERVAL '0:00' HOUR TO MINUTE AS TIMESTAMP(6)) AS VARCHAR(40))`,
      binary: column => `RAWTOHEX(${column})`,
    },
    column => column,
  ),
  like: (column, value) => `${column} LIKE ${value}`,
  sum: (column, type) =>
    type.kind === 'double' ? `SUM(${column})` : `CAST(SUM(CAST(${column} AS ${wideDecimal})) AS VARCHAR(2100))`,
  // HSQLDB ignores NULLS FIRST if an index provides the order.
  orderBy: nullsLast,
  dual: ' FROM (VALUES(0))',
  numbersRows: false,
  lock: { table: '', query: '' },
  lastKey: 'CALL IDENTITY()',
  violationOf: error => ofState(property(error, 'code')) ?? ofState(property(error, 'sqlState')),
  violatedKeyOf: error => violatedName(error)?.replaceAll('""', '"'),
}

const wideDecimal = 'DECIMAL(110, 50)'

const castOf = byKind(
  {
    integer: 'BIGINT',
    decimal: ({ precision, scale }) =>
      precision === null || scale === comparedScale ? 'DECIMAL(2000, 1000)' : `DECIMAL(${precision}, ${scale})`,
    double: 'DOUBLE',
    time: 'TIME(6)',
    timestamp: 'TIMESTAMP(6)',
    instant: 'TIMESTAMP(6) WITH TIME ZONE',
    date: 'DATE',
    boolean: 'BOOLEAN',
    guid: 'VARCHAR_IGNORECASE(36)',
  },
  'VARCHAR(16777216)',
)

/** Maximum length of a VARCHAR in UTF-16 units, and the length used for unlimited texts. */
const maxLength = 2_147_483_647
const unlimitedLength = 16_777_216

const collation = 'SET DATABASE COLLATION SQL_TEXT NO PAD'

/** HSQLDB 2.4 and later in its default mode. */
const dialect: Dialect = {
  ...standard,
  names: { ...standard.names, size: utf16Of },
  limits: {
    ...standard.limits,
    varchar: maxLength,
    columns: Number.POSITIVE_INFINITY,
    decimal: { precision: 1000, scale: 1000 },
    openDecimal: { precision: 100, scale: 50 },
  },
  textSize: utf16Of,
  checksCharacters: true,
  checksJson: false,
  hasSingle: false,
  // RESTRICT is treated as NO ACTION.
  actions: ['noAction', 'cascade', 'setNull'],
  // CLOBs are avoided: they need special access, and do not work over the server's PostgreSQL protocol.
  typeName: byKind(
    {
      text: ({ length = 0 }) => `VARCHAR(${Math.min(Math.max(unlimitedLength, length), maxLength)})`,
      json: `VARCHAR(${unlimitedLength})`,
      guid: 'VARCHAR_IGNORECASE(36)',
      binary: `VARBINARY(${unlimitedLength})`,
      // It has no single precision: REAL is the same type.
      double: 'DOUBLE',
    },
    standard.typeName,
  ),
  // HSQLDB accepts infinite doubles, and years with more than four digits.
  typeCheck: expressionByKind<string | null>(
    {
      guid: quoted => `REGEXP_MATCHES(${quoted}, '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}')`,
      double: quoted => `${quoted} - ${quoted} = 0`,
      date: quoted => `${quoted} <= DATE '9999-12-31'`,
      timestamp: quoted => `${quoted} <= TIMESTAMP '9999-12-31 23:59:59.999999'`,
      instant: quoted => `${quoted} <= TIMESTAMP '9999-12-31 23:59:59.999999+0:00'`,
    },
    (quoted, type) => lengthCheck(dialect, type, quoted),
  ),
  // Trailing spaces are significant in choices and unique columns.
  preamble: () => [collation],
  collation,
  canStore: ({ kind, value }) =>
    !(kind === 'date' || kind === 'timestamp' || kind === 'instant') || !isSkippedDay(String(value)),
  // CHAR_LENGTH counts UTF-16 units, so each character is replaced by a single unit first.
  characters: quoted => `CHAR_LENGTH(REGEXP_REPLACE(${quoted}, '(?s).', 'x'))`,
  literal: value =>
    value.kind === 'instant' ? `TIMESTAMP '${value.value.replace('T', ' ')}+0:00'` : standard.literal(value),
  condition: {
    ...standardWords,
    losesNegatives: true,
    fillsTexts: true,
    // A sum may have one digit more than its operands, for which HSQLDB leaves no room.
    exact: (number, _whole, scale) => `CAST(${number} AS DECIMAL(50, ${scale}))`,
    alignsNumbers: true,
    length: text => dialect.characters(text),
    split: splitByPlace({ ...located, concat: standardWords.concat, length: text => dialect.characters(text) }),
    literal: (value, kind) =>
      (kind === 'double' || kind === 'single') && value.kind === 'number' && !value.value.includes('e')
        ? `${value.value}E0`
        : dialect.literal(value),
  },
  // By default, the first generated key would be 0.
  identity: 'GENERATED BY DEFAULT AS IDENTITY (START WITH 1)',
}

export const hsql = {
  reserved:
    words(`abs all allocate alter and any are array array_agg array_max_cardinality as asensitive asymmetric at atomic
    authorization avg begin between bigint binary blob boolean both by call called cardinality cascaded case cast ceil
    ceiling char char_length character character_length check clob close coalesce collate collect column commit
    condition connect constraint contains convert corr corresponding count covar_pop covar_samp create cross cube
    cume_dist current current_catalog current_date current_default_transform_group current_path current_role
    current_row current_schema current_time current_timestamp current_transform_group_for_type current_user cursor
    cycle date day deallocate dec decimal declare default delete dense_rank deref describe deterministic disconnect
    distinct do double drop dynamic each element else elseif end end_exec end_frame end_partition equals escape every
    except exec execute exists exit exp external extract false fetch filter first_value float floor for foreign
    frame_row free from full function fusion get global grant group grouping groups handler having hold hour identity if
    in indicator inner inout insensitive insert int integer intersect intersection interval into is iterate join lag
    language large last_value lateral lead leading leave left like like_regex ln local localtime localtimestamp loop
    lower match max maximum_cardinality member merge method min minute mod modifies module month multiset national
    natural nchar nclob new no none normalize not nth_value ntile null nullif numeric occurrences_regex octet_length of
    offset old on only open or order out outer over overlaps overlay parameter partition percent percent_rank
    percentile_cont percentile_disc period portion position position_regex power precedes precision prepare primary
    procedure range rank reads real recursive ref references referencing regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy release repeat resignal result return returns revoke right rollback
    rollup row row_number rows savepoint scope scroll search second select sensitive session_user set signal similar
    smallint some specific specifictype sql sqlexception sqlstate sqlwarning sqrt stack start static stddev_pop
    stddev_samp submultiset substring substring_regex succeeds sum symmetric system system_time system_user table
    tablesample then time timestamp timezone_hour timezone_minute to trailing translate translate_regex translation
    treat trigger trim trim_array true truncate uescape undo union unique unknown unnest until update upper user using
    value value_of values var_pop var_samp varbinary varchar varying versioning when whenever where width_bucket window
    with within without year`),
  export: dialect,
  read: {
    usualSchema: 'PUBLIC',
    marks: [
      [8, 'VARCHAR_IGNORECASE', 'MEMORY TABLE', 'CACHED TABLE', 'SET DATABASE', 'SET FILES'],
      [4, '<type> LONGVARCHAR', '<type> LONGVARBINARY', 'SET SCHEMA', 'SET TABLE'],
      [1, '<type> CLOB', 'AS IDENTITY ( START'],
    ],
    byLines: /^SET DATABASE (?:UNIQUE )?NAME [^;\n]*$/m,
  },
  package: { driver: 'org.hsqldb.jdbc.JDBCDriver', offset: ' OFFSET :offset ROWS' },
  run: { dialect, queries, isTransactional: false, sharesConstraintNames: false },
} satisfies DatabaseKind

/** The days between the Julian and the Gregorian calendar do not exist in Java. */
function isSkippedDay(value: string): boolean {
  return value >= '1582-10-05' && value < '1582-10-15'
}
