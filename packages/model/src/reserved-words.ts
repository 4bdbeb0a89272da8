import type { DatabaseType } from './database-types.ts'

// Reserved words by database in lower case, from the manuals.
const words = {
  postgresql: `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
    collation column concurrently constraint create cross current_catalog current_date current_role current_schema
    current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
    foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading
    left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing
    primary references returning right select session_user similar some symmetric system_user table tablesample then to
    trailing true union unique user using variadic verbose when where window with`,
  mysql: `accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade
    case change char character check collate column condition constraint continue convert create cross cube cume_dist
    current_date current_role current_time current_timestamp current_user cursor database databases day_hour
    day_microsecond day_minute day_second dec decimal declare default delayed delete dense_rank desc describe
    deterministic distinct distinctrow div double drop dual each else elseif empty enclosed escaped except exists exit
    explain false fetch first_value float float4 float8 for force foreign from fulltext function generated get grant
    group grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore in index infile inner
    inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids io_before_gtids
    is iterate join json_table key keys kill lag last_value lateral lead leading leave left like limit linear lines load
    localtime localtimestamp lock long longblob longtext loop low_priority master_bind master_ssl_verify_server_cert
    match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural not
    no_write_to_binlog nth_value ntile null numeric of on optimize optimizer_costs option optionally or order out outer
    outfile over partition percent_rank precision primary procedure purge range rank read reads read_write real
    recursive references regexp release rename repeat replace require resignal restrict return returning revoke right
    rlike row rows row_number schema schemas second_microsecond select sensitive separator set show signal smallint
    spatial specific sql sqlexception sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl
    starting stored straight_join system table terminated then tinyblob tinyint tinytext to trailing trigger true undo
    union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values varbinary varchar
    varcharacter varying virtual when where while window with write xor year_month zerofill`,
  hsql: `abs all allocate alter and any are array array_agg array_max_cardinality as asensitive asymmetric at atomic
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
    with within without year`,
  oracle: `access add all alter and any as asc audit between by char check cluster column column_value comment compress
    connect create current date decimal default delete desc distinct drop else exclusive exists file float for from
    grant group having identified immediate in increment index initial insert integer intersect into is level like lock
    long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress not nowait null number of offline on
    online option or order pctfree prior public raw rename resource revoke row rowid rownum rows select session set
    share size smallint start successful synonym sysdate table then to trigger uid union unique update user validate
    values varchar varchar2 view whenever where with`,
  mssql: `add all alter and any as asc authorization backup begin between break browse bulk by cascade case check
    checkpoint close clustered coalesce collate column commit compute constraint contains containstable continue convert
    create cross current current_date current_time current_timestamp current_user cursor database dbcc deallocate
    declare default delete deny desc disk distinct distributed double drop dump else end errlvl escape except exec
    execute exists exit external fetch file fillfactor for foreign freetext freetexttable from full function goto grant
    group having holdlock identity identity_insert identitycol if in index inner insert intersect into is join key kill
    left like lineno load merge national nocheck nonclustered not null nullif of off offsets on open opendatasource
    openquery openrowset openxml option or order outer over percent pivot plan precision primary print proc procedure
    public raiserror read readtext reconfigure references replication restore restrict return revert revoke right
    rollback rowcount rowguidcol rule save schema securityaudit select semantickeyphrasetable
    semanticsimilaritydetailstable semanticsimilaritytable session_user set setuser shutdown some statistics system_user
    table tablesample textsize then to top tran transaction trigger truncate try_convert tsequal union unique unpivot
    update updatetext use user values varying view waitfor when where while with within writetext`,
} as const satisfies Record<DatabaseType, string>

export const reservedWords: Readonly<Record<DatabaseType, ReadonlySet<string>>> = {
  postgresql: wordSet('postgresql'),
  mysql: wordSet('mysql'),
  hsql: wordSet('hsql'),
  oracle: wordSet('oracle'),
  mssql: wordSet('mssql'),
}

/** Size of a name in the database's unit: UTF-8 bytes, characters, or UTF-16 code units. */
export function identifierSize(name: string, databaseType: DatabaseType): number {
  if (databaseType === 'postgresql' || databaseType === 'oracle') return new TextEncoder().encode(name).length
  if (databaseType === 'mysql') return Array.from(name).length
  return name.length
}

function wordSet(databaseType: DatabaseType): ReadonlySet<string> {
  return new Set(words[databaseType].split(/\s+/))
}
