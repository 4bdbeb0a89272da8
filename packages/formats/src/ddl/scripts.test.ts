import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readGzip, writeArchive } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import { readUpload } from '../import-formats.ts'
import { readSqlScripts } from './read.ts'
import { loadScripts } from './scripts.ts'

const table = 'CREATE TABLE a (b int);'
const filesOf = (...paths: string[]) => new Map(paths.map((path, at) => [path, `CREATE TABLE a${at} (b int);`]))
const played = (...paths: string[]) => loadScripts(filesOf(...paths)).paths
const leftOut = (...paths: string[]) => loadScripts(filesOf(...paths)).remarks.map(({ path }) => path)

describe('A file of an archive ends all that it leaves open', () => {
  const second = 'CREATE TABLE second (id int);'
  it.each([
    ['a batch', 'CREATE FUNCTION f() RETURNS int AS BEGIN RETURN 1; END', 'mssql'],
    ['a procedure', 'CREATE PROCEDURE p AS BEGIN NULL; END', 'oracle'],
    ['a delimiter', 'DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END', 'mysql'],
    ['a statement', 'CREATE TABLE first (id int)', 'postgresql'],
  ] as const)('%s', (_, first, database) => {
    const { entities } = readSqlScripts(
      new Map([
        ['1.sql', first],
        ['2.sql', `${second}\nCREATE TABLE third (id int);`],
      ]),
      { database },
    )
    expect(entities.map(({ name }) => name).filter(name => name !== 'first')).toEqual(['second', 'third'])
  })
})

describe('Scripts of an archive', () => {
  it('ignores metadata files of macOS', () => {
    const beside = new Uint8Array([0, 5, 22, 7, 0x80, 0xff, 0xfe])
    const files = new Map<string, string | Uint8Array>([
      ['shop/a.sql', table],
      ['__MACOSX/shop/._a.sql', beside],
      ['shop/._b.sql', beside],
    ])
    expect(loadScripts(files)).toMatchObject({ paths: ['shop/a.sql'], remarks: [] })
  })

  it.each<[string, string[]]>([
    ['numbers by value', ['1.sql', '2_b.sql', '10_a.sql', '10_b/1.sql', '10_b/02.sql']],
    ['versions of Flyway', ['V1__z.sql', 'V1.2__b.sql', 'V1.10__a.sql', 'V2__c.sql', 'v2_1__d.sql', 'R__views.sql']],
    ['versions of Flyway in several folders', ['b/V1__a.sql', 'a/V2__b.sql', 'a/R__c.sql']],
    ['folders of Prisma', ['m/20230101000000_init/migration.sql', 'm/20230201000000_more/migration.sql']],
    ['files of Supabase', ['supabase/migrations/20230101_z.sql', 'supabase/migrations/20230201_a.sql']],
    ['a file before longer names', ['1.sql', '1.1.sql', '1.2.up.sql']],
    [
      'dates with and without hyphens',
      ['m/20140924113530_a/up.sql', 'm/2017-08-31-230457_b/up.sql', 'm/20180101000000_c/up.sql'],
    ],
  ])('are read in the order of migration tools: %s', (_, inOrder) => {
    expect(played(...inOrder.toReversed())).toEqual(inOrder)
  })

  it.each<[string, string[], string[]]>([
    ['undo scripts of Flyway', ['V1__a.sql', 'U1__a.sql'], ['U1__a.sql']],
    [
      'what a baseline of Flyway contains',
      ['V1__a.sql', 'B2__b.sql', 'V2__b.sql', 'V3__c.sql'],
      ['V1__a.sql', 'V2__b.sql'],
    ],
    ['down scripts beside up scripts', ['1_a.up.sql', '1_a.down.sql'], ['1_a.down.sql']],
    ['down scripts of folders', ['1_a/up.sql', '1_a/down.sql'], ['1_a/down.sql']],
    ['down scripts with another sign', ['1-a-up.sql', '1-a-down.sql', 'break_down.sql'], ['1-a-down.sql']],
    ['files that are no scripts', ['a.sql', 'schema.prisma', 'notes.txt'], ['schema.prisma', 'notes.txt']],
  ])('leaves out and reports %s', (_, paths, expected) => {
    expect(leftOut(...paths)).toEqual(expect.arrayContaining(expected))
    expect(played(...paths).toSorted()).toEqual(paths.filter(path => !expected.includes(path)).toSorted())
  })

  it('reads texts with another ending only where there are no scripts and they create tables', () => {
    const files = new Map([
      ['schema.txt', table],
      ['readme.txt', 'A shop.'],
    ])
    expect(loadScripts(files).paths).toEqual(['schema.txt'])
    const none = () => loadScripts(new Map([['readme.txt', 'A shop.']]))
    expect(none).toThrow('The archive has no .sql file.')
  })

  describe('of which one is a dump beside migrations', () => {
    const users = 'CREATE TABLE users (id int);'
    const orders = 'CREATE TABLE orders (id int);'
    const dump = `CREATE TABLE public.users (id int, mail text);\nCREATE TABLE public."orders" (id int);`
    const load = (files: Record<string, string>) => loadScripts(new Map(Object.entries(files)))

    it('only the dump is read if it does not name migrations', () => {
      const { paths, remarks } = load({
        'db/migrations/001_users.sql': users,
        'db/migrations/002_orders.sql': orders,
        'db/schema.sql': dump,
      })
      expect(paths).toEqual(['db/schema.sql'])
      const left = 'The file is not read: "db/schema.sql" has the state after it.'
      expect(remarks).toEqual([
        { path: 'db/migrations/001_users.sql', message: left },
        { path: 'db/migrations/002_orders.sql', message: left },
        {
          path: 'db/schema.sql',
          message: 'It does not name the migrations that it contains: none of them is read.',
        },
      ])
    })

    it.each([
      ['times', '20240101000000', 'm/20240101000000_users.sql', 'm/20240201000000_orders.sql'],
      ['names of files', 'V1__users.sql', 'm/V1__users.sql', 'm/V2__orders.sql'],
      ['names of folders', '20240101_users', 'm/20240101_users/migration.sql', 'm/20240201_orders/migration.sql'],
    ])('later migrations are read after it: %s', (_, named, first, second) => {
      const { paths, remarks } = load({
        [first]: users,
        [second]: 'ALTER TABLE users ADD x int;',
        'structure.sql': `${dump}\nINSERT INTO schema_migrations VALUES ('${named}');`,
      })
      expect(paths).toEqual(['structure.sql', second])
      expect(remarks.map(({ path }) => path)).toEqual([first])
    })

    it('tables that the dump does not create are named', () => {
      const { remarks } = load({ '1.sql': users, '2.sql': `${orders}CREATE TABLE extra (a int);`, 'dump.sql': dump })
      expect(remarks.at(-1)?.message).toBe(
        'It does not name the migrations that it contains: none of them is read. It does not create "extra", which they create.',
      )
    })

    it('all are read if the other script has other tables, or if all have numbers', () => {
      expect(load({ '1.sql': users, 'seed.sql': 'CREATE TABLE colours (id int);' }).paths).toHaveLength(2)
      expect(load({ '1_dump.sql': dump, '2_more.sql': orders }).paths).toHaveLength(2)
    })
  })

  it('finds the script and its line for a line of the whole', () => {
    const { text, placeOf } = loadScripts(
      new Map([
        ['1.sql', 'a\nb'],
        ['2.sql', 'c\r\nd\n'],
        ['3.sql', 'e'],
      ]),
    )
    const places = text.split('\n').flatMap((line, index) => {
      const { path, line: number } = placeOf(index + 1)
      return /[a-e]/.test(line) ? [`${line.trim()} ${path} ${number}`] : []
    })
    expect(places).toEqual(['a 1.sql 1', 'b 1.sql 2', 'c 2.sql 1', 'd 2.sql 2', 'e 3.sql 1'])
    expect(placeOf(0)).toEqual({ path: '1.sql', line: 0 })
  })
})

describe('Sections of a migration', () => {
  const only = (text: string) => loadScripts(new Map([['1.sql', text]]))

  it.each([
    ['dbmate', '-- migrate:up', '-- migrate:down'],
    ['dbmate with options', '-- migrate:up transaction:false', '--migrate:down transaction:false'],
    ['goose', '-- +goose Up', '-- +goose Down'],
    ['sql-migrate', '-- +migrate Up', '-- +migrate Down'],
    ['Play evolutions', '# --- !Ups', '# --- !Downs'],
    ['MyBatis migrations', '-- // a', '-- //@UNDO'],
  ])('of %s that undo it are not read, and reported by line', (_, up, down) => {
    const { text, remarks } = only(`${up}\n${table}\n${down}\nDROP TABLE a;\n\n`)
    expect(text).toBe(`${up}\n${table}\n\n\n\n`)
    expect(remarks).toEqual([{ path: '1.sql', message: 'Lines 3 to 4 are not read: a migration is undone there.' }])
  })

  it('an up section after a down section is read, with its line numbers', () => {
    const { text } = only('-- migrate:up\na\n-- migrate:down\nb\n-- migrate:up\nc\n-- migrate:down')
    expect(text.split('\n')).toEqual(['-- migrate:up', 'a', '', '', '-- migrate:up', 'c', ''])
  })

  it('a down section needs an up section before it', () => {
    expect(only('-- migrate:down\na').text).toBe('-- migrate:down\na')
  })
})

describe('Encodings of scripts', () => {
  const umlaut = "CREATE TABLE a (b varchar(9) DEFAULT 'größe');"
  const utf16 = (text: string, isBigEndian = false) => {
    const bytes = Buffer.from(text, 'utf16le')
    return new Uint8Array(isBigEndian ? bytes.swap16() : bytes)
  }
  const read = (bytes: Uint8Array) => {
    const { text, remarks } = loadScripts(new Map([['a.sql', bytes]]))
    return [text, ...remarks.map(({ message }) => message)]
  }

  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(umlaut)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${umlaut}`)],
    ['UTF-16', utf16(`\ufeff${umlaut}`)],
    ['UTF-16 of the other byte order', utf16(`\ufeff${umlaut}`, true)],
  ])('%s is read without a remark', (_, bytes) => {
    expect(read(bytes)).toEqual([umlaut])
  })

  it('UTF-16 without a mark and Windows-1252 are read and reported', () => {
    const guessed = 'It has no byte-order mark; it was read as UTF-16.'
    expect(read(utf16(umlaut))).toEqual([umlaut, guessed])
    expect(read(utf16(umlaut, true))).toEqual([umlaut, guessed])
    const [text, remark] = read(new Uint8Array(Buffer.from(umlaut.replace('g', '\x80'), 'latin1')))
    expect([text, remark]).toEqual([umlaut.replace('g', '€'), expect.stringContaining('read as Windows-1252')])
  })

  it('refuses what is no text', () => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
    const tar = new Uint8Array(512)
    tar.set(bytes('ustar'), 257)
    expect(() => read(bytes('PGDMP\x01\x0e'))).toThrow('pg_restore --schema-only --file=schema.sql')
    expect(() => read(tar)).toThrow('is a tar archive')
    expect(() => read(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'))).toThrow('"a.sql" is no text.')
    expect(() => read(bytes('\xff\xfe\x00\xd8'))).toThrow('"a.sql" is no text.')
  })
})

describe('Uploads of scripts', () => {
  const upload = (name: string, bytes: Uint8Array) => {
    const { files, isSingle } = readUpload('DATABASE_STRUCTURE', name, bytes)
    return readSqlScripts(files, { isSingle })
  }
  const names = (name: string, bytes: Uint8Array) => upload(name, bytes).entities.map(entity => entity.name)
  const code = (name: string, bytes: Uint8Array) => {
    try {
      return names(name, bytes)
    } catch (error) {
      return error instanceof ImportError ? error.code : error
    }
  }

  it.each(['shop.sql', 'shop.ddl', 'shop.txt', 'shop.dump'])('reads %s by itself, plain or compressed', name => {
    expect(names(name, Buffer.from(table))).toEqual(['a'])
    expect(names(`${name}.gz`, gzipSync(table))).toEqual(['a'])
  })

  it('reads compressed scripts in a zip, and gzip of several members', () => {
    const zip = writeArchive(new Map([['a.sql.gz', gzipSync(table)]]))
    expect(names('a.zip', zip)).toEqual(['a'])
    const members = Buffer.concat([gzipSync(table), gzipSync('CREATE TABLE c (d int);')])
    expect(names('a.sql.gz', members)).toEqual(['a', 'c'])
  })

  it('refuses damaged gzip, and gzip beyond the limits of a zip', () => {
    const packed = gzipSync(`${table}${'-- note\n'.repeat(100)}`)
    expect(code('a.sql.gz', packed.subarray(0, packed.length - 20))).toBe('zip-broken')
    const wrong = Buffer.from(packed)
    wrong.writeUInt32LE(1, wrong.length - 8)
    expect(code('a.sql.gz', wrong)).toBe('zip-broken')
    expect(code('a.sql.gz', gzipSync(' '.repeat(2 * 1024 * 1024)))).toBe('zip-ratio')
    const two = gzipSync('ab')
    expect(readGzip(two, 'a.sql.gz', 2)).toEqual(new Uint8Array(Buffer.from('ab')))
    expect(() => readGzip(two, 'a.sql.gz', 1)).toThrow('may unpack to at most')
  })

  it('refuses a script where a zip is needed', () => {
    expect(() => readUpload('CDM_SCHEMA', 'a.sql', Buffer.from(table))).toThrow('This is not a zip archive')
    expect(() => readUpload('DATABASE_STRUCTURE', 'a.zip', Buffer.from(table))).toThrow('This is not a zip archive')
  })
})

it('texts without a script among them are searched up to the limit of scripts, compressed ones as well', () => {
  const half = 'x'.repeat(33 * 1024 * 1024)
  const packed = new Uint8Array(gzipSync(half, { level: 0 }))
  for (const text of [half, packed]) {
    const files = new Map([1, 2].map(number => [`${number}.txt`, text]))
    expect(() => loadScripts(files)).toThrow(/^(?:The scripts are larger than 64 MB|The archive)/)
    expect(() => loadScripts(new Map([['1.txt', text]]))).toThrow('The archive has no .sql file.')
  }
})

describe('Scripts for several databases', () => {
  const read = (paths: string[], database?: 'mysql' | 'oracle') => {
    const { paths: played, remarks } = loadScripts(filesOf(...paths), { database })
    return { played, leftOut: remarks.map(({ path }) => path) }
  }

  it.each<[string, string[], string[]]>([
    [
      'folders',
      ['m/mysql/1.sql', 'm/oracle/1.sql', 'm/oracle/2.sql', 'm/sqlite/1.sql'],
      ['m/oracle/1.sql', 'm/oracle/2.sql'],
    ],
    [
      'endings of names',
      ['1_a.mysql.up.sql', '1_a.postgres.up.sql', '2_b.postgres.up.sql'],
      ['1_a.postgres.up.sql', '2_b.postgres.up.sql'],
    ],
    ['parts of names', ['tables_db2.sql', 'tables_hsqldb.sql'], ['tables_hsqldb.sql']],
  ])('are read for the database that has most of them: %s', (_, paths, expected) => {
    expect(read(paths).played).toEqual(expected)
    expect(read(paths).leftOut.toSorted()).toEqual(paths.filter(path => !expected.includes(path)).toSorted())
  })

  it('are read for the chosen one', () => {
    const paths = ['mysql/1.sql', 'oracle/1.sql', 'oracle/2.sql']
    expect(read(paths, 'mysql').played).toEqual(['mysql/1.sql'])
    expect(read(paths, 'oracle').played).toEqual(['oracle/1.sql', 'oracle/2.sql'])
  })

  it('replace those for all databases', () => {
    const paths = ['1_a.up.sql', '1_a.mysql.up.sql', '1_a.oracle.up.sql', '2_b.up.sql', '3_c.oracle.up.sql']
    expect(read(paths, 'mysql').played).toEqual(['1_a.mysql.up.sql', '2_b.up.sql'])
  })

  it.each<[string, string[]]>([
    ['only the name of one is in them', ['oracle.sql', 'mysql_users.sql', 'shop.sql']],
    ['none can be chosen', ['a.sqlite.sql', 'a.h2.sql']],
  ])('are all read if %s', (_, paths) => {
    expect(read(paths).leftOut).toEqual([])
  })
})
