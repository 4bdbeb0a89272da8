import { newConfiguration, type ApiType } from '@cadmus/model/configuration'
import { packageDatabases } from '@cadmus/model/database-types'
import { defaultPackageName } from '@cadmus/model/package'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { type Answers, openAgain } from './answers.ts'
import { hasEntered, openBlueprint, type Blueprint } from './blueprint.ts'
import { nextBlueprint, type BlueprintEvent } from './blueprint-flow.ts'
import { alertOf, emptyFields, instanceOf, maySkip, neededFields, packageOf, problemOf } from './blueprint-rules.ts'
import { buildRequest, majorAfter, versionAfter } from './build-request.ts'
import { noDatabases } from './use-instance.ts'

const shop = { id: 7, name: 'Shop' }
const next: BlueprintEvent = { type: 'next' }
const back: BlueprintEvent = { type: 'back' }
const opened = openBlueprint(null, packageDatabases)

function play(state: Blueprint, ...events: BlueprintEvent[]): Blueprint {
  return events.reduce(nextBlueprint, state)
}

const settings = [newConfiguration('Shop'), newConfiguration('Billing')]
const starting: BlueprintEvent[] = [
  { type: 'manifest', manifest: shop },
  { type: 'settings', settings },
  next,
  { type: 'validated' },
]
const exporting: BlueprintEvent[] = [...starting, { type: 'goal', goal: 'export' }, next]
const filled: BlueprintEvent = {
  type: 'connection',
  change: { username: 'shop', password: 'secret', databaseName: 'shop' },
}

/** The wizard at `step`, exporting REST into a new database. */
function at(step: Blueprint['step'], ...events: BlueprintEvent[]): Blueprint {
  const all = [...exporting, { type: 'api', api: 'REST', on: true } as const, next, next, filled, next, next, ...events]
  let state = opened
  for (const event of all) {
    if (state.step === step) break
    state = nextBlueprint(state, event)
  }
  return play(state, ...events)
}

describe('the wizard with the answers of a publication', () => {
  const configured = settings.map(own => ({
    ...own,
    configurationBuild: {
      ...own.configurationBuild,
      apiConfiguration: { ...own.configurationBuild.apiConfiguration, type: ['REST', 'GRAPHQL'] as ApiType[] },
    },
  }))
  const loaded: BlueprintEvent = { type: 'settings', settings: configured }
  const answers: Answers = {
    goal: 'publish',
    target: 'hosted',
    hosted: { name: 'Local', url: 'http://localhost:4100' },
    url: '',
    signsIn: false,
    schema: null,
    apis: ['SOAP'],
    sql: settings[0]?.configurationBuild.sqlConfiguration ?? null,
    database: 'existing',
    existing: { name: 'embedded', instance: 'http://localhost:4100' },
    databaseType: 'hsql',
    connection: { url: 'jdbc:hsqldb:embedded', username: 'sa', password: '', databaseName: 'embedded' },
    existingPackage: { name: 'shop', versions: ['1.0.3'] },
  }
  const again = (change: Partial<Answers> = {}) => openAgain(shop, packageDatabases, { ...answers, ...change })

  it('validates the manifest, then shows the summary', () => {
    const validating = again()
    expect(validating).toMatchObject({ step: '1', working: 'validating', manifest: shop })
    const summary = play(validating, loaded, { type: 'validated' })
    expect(summary).toMatchObject({
      step: '5',
      hosted: answers.hosted,
      apis: ['SOAP'],
      databaseType: 'hsql',
      existing: answers.existing,
      settings: configured,
    })
    expect([packageOf(summary), versionAfter(['1.0.3'], summary)]).toEqual(['shop', '1.0.4'])
    expect(buildRequest(summary, '1.0.4')).toMatchObject({ publishAs: 'PACKAGE', customPackageName: 'shop' })
    expect(hasEntered(summary)).toBe(false)
    expect(hasEntered(play(summary, next))).toBe(true)
    expect(play(validating, loaded, { type: 'refused', message: 'No key.' })).toMatchObject({
      step: '1',
      refused: 'No key.',
    })
  })

  it('without them, begins with those of the configuration', () => {
    const pool = {
      type: 'POSTGRESQL' as const,
      url: 'jdbc:postgresql://db/shop',
      username: 'shop',
      databaseName: 'shop',
    }
    const withPool = configured.map(own => ({
      ...own,
      packageProperties: { ...own.packageProperties, connectionPoolInfo: { ...pool, password: '********' } },
    }))
    const manifest: BlueprintEvent = { type: 'manifest', manifest: shop }
    expect(play(opened, manifest, { type: 'settings', settings: withPool })).toMatchObject({
      apis: ['REST', 'GRAPHQL'],
      databaseType: 'postgresql',
      connection: { url: pool.url, username: 'shop', databaseName: 'shop', password: '' },
    })
    expect(play(opened, manifest, loaded).connection.username).toBe('')
  })

  it('stops only at a missing password, and then goes on to the summary', () => {
    const own = { ...answers.connection, url: 'jdbc:postgresql://db/shop' }
    const atPassword = play(again({ database: 'new', connection: own }), loaded, { type: 'validated' })
    expect(atPassword.step).toBe('3a2')
    const typed = play(atPassword, { type: 'connection', change: { password: 'secret' } })
    expect([hasEntered(atPassword), hasEntered(typed)]).toEqual([false, true])
    expect(play(typed, next).step).toBe('5')
    const signIn = again({ target: 'selfManaged', url: 'http://far', signsIn: true })
    const target = play(signIn, loaded, { type: 'validated' })
    expect(target.step).toBe('2a')
    const credentials = { username: 'ann', password: 'secret' }
    expect(play(target, { type: 'credentials', credentials }, next).step).toBe('5')
  })
})

describe('going on to the summary', () => {
  const details = { url: 'jdbc:hsqldb:embedded', username: 'sa', type: 'hsql', typeName: 'HSQL' } as const
  const instance = 'http://localhost:4100'
  const database = { name: 'embedded', instance }
  const atDatabase = play(
    opened,
    ...starting,
    { type: 'settings', settings },
    { type: 'goal', goal: 'publish' },
    next,
    { type: 'target', target: 'hosted' },
    { type: 'hosted', hosted: { name: 'Local', url: instance } },
    next,
    { type: 'api', api: 'REST', on: true },
    next,
  )

  it('is possible once no step before it has an open question', () => {
    expect([atDatabase.step, maySkip(atDatabase)]).toEqual(['3a1', false])
    const chosen = play(
      atDatabase,
      { type: 'database', database: 'existing' },
      { type: 'existing', existing: database },
    )
    expect(play(chosen, { type: 'skip' }).step).toBe('3a1')
    const answered = play(chosen, { type: 'details', database, details })
    expect(maySkip(answered)).toBe(true)
    const summary = play(answered, { type: 'skip' })
    expect([summary.step, packageOf(summary)]).toEqual(['5', 'Shop'])
    expect(play(summary, back).step).toBe('4')
  })

  it('is not offered before the target is chosen, or while a password is missing', () => {
    expect(maySkip(play(opened, ...starting, { type: 'settings', settings }))).toBe(false)
    const change = { username: 'shop', databaseName: 'shop' }
    const without = play(atDatabase, { type: 'connection', change })
    expect(maySkip(without)).toBe(false)
    expect(maySkip(play(without, { type: 'connection', change: { password: 'secret' } }))).toBe(true)
  })
})

describe('the steps of the blueprint wizard', () => {
  it(
    'publishes through step 2a, exports without it, and mirrors the path on Back',
    holds('M2.185', 'M2.202', 'M4.20', 'M4.21', 'M4.22'),
    () => {
      const second = play(opened, ...starting)
      expect(second.step).toBe('2')
      const publishing = play(second, { type: 'goal', goal: 'publish' }, next)
      expect(publishing.step).toBe('2a')
      const third = play(publishing, { type: 'url', url: 'http://localhost:4100' }, next)
      expect(third.step).toBe('3')
      expect(play(third, back).step).toBe('2a')
      const exported = play(second, { type: 'goal', goal: 'export' }, next)
      expect(exported.step).toBe('3')
      expect(play(exported, back).step).toBe('2')
    },
  )

  it(
    'the wizard leads from the database to its details, queries, the package and the summary',
    holds('M4.23', 'M4.24'),
    () => {
      const chosen = play(opened, ...exporting, { type: 'schema', schema: 'DB_STRUCTURE' })
      const steps = [next, next, filled, next, next, { type: 'newPackage', name: 'shop' } as const, next].reduce<
        string[]
      >((seen, event, index, all) => [...seen, play(chosen, ...all.slice(0, index + 1)).step], [])
      expect([...new Set(steps)]).toEqual(['3a1', '3a2', '3a3', '4', '5'])
    },
  )

  it('skips the database steps for data models', () => {
    const models = play(opened, ...exporting, { type: 'schema', schema: 'ENTITY_GLOOP_MODEL' }, next)
    expect(models.step).toBe('4')
    expect(play(models, back).step).toBe('3')
  })

  it(
    'validates on the server before leaving the first step, and shows its refusal',
    holds('M5.34', 'M5.35', 'M5.36'),
    () => {
      const nothing = play(opened, next)
      expect(nothing).toMatchObject({ step: '1', attempted: true, working: null })
      expect(problemOf(nothing)).toBe('Please select a manifest.')
      const asking = play(opened, { type: 'manifest', manifest: shop }, next)
      expect(asking).toMatchObject({ step: '1', working: 'validating' })
      expect(play(asking, next)).toBe(asking)
      const refused = play(asking, { type: 'refused', message: 'Customer extends itself.' })
      expect(refused).toMatchObject({ step: '1', working: null })
      expect(alertOf(refused)).toBe('Customer extends itself.')
      expect(alertOf(play(refused, { type: 'manifest', manifest: { id: 8, name: 'Other' } }))).toBeUndefined()
    },
  )

  it('reopens in its initial state', holds('M4.26', 'M9.13', 'M9.14'), () => {
    const used = at('4', { type: 'newPackage', name: 'shop' })
    expect(hasEntered(used)).toBe(true)
    expect(opened).toMatchObject({ manifest: null, goal: null, target: 'selfManaged', packageMode: 'new' })
    expect(hasEntered(opened)).toBe(false)
  })
})

describe('required input of the blueprint steps', () => {
  it('requires a choice between publish and export', holds('M5.37'), () => {
    const second = play(opened, ...starting, next)
    expect(second.step).toBe('2')
    expect(alertOf(second)).toBe('Please select an option.')
  })

  it('requires an instance, hosted or by address', holds('M5.38', 'M5.39', 'M5.40', 'M5.41', 'M5.42', 'M5.43'), () => {
    const target = play(opened, ...starting, { type: 'goal', goal: 'publish' }, next)
    expect(problemOf(target)).toBe('Please provide a self-managed instance URL.')
    expect(problemOf(play(target, { type: 'url', url: 'http://' }))).toBe('Please enter a valid instance URL.')
    const withUrl = play(target, { type: 'url', url: 'localhost:4100' })
    expect(problemOf(withUrl)).toBeUndefined()
    expect(instanceOf(withUrl)).toEqual({ instanceUrl: 'https://localhost:4100' })
    const failed = play(
      withUrl,
      { type: 'test' },
      { type: 'tested', test: { connected: false, reason: 'It is away.' } },
    )
    expect(problemOf(failed)).toBe('Connection test failed. Please check your URL.')
    expect(play(failed, next).step).toBe('2a')
    expect(problemOf(play(failed, { type: 'url', url: 'localhost:4101' }))).toBeUndefined()
    const hosted = play(target, { type: 'target', target: 'hosted' })
    expect(problemOf(hosted)).toBe('Please select a hosted instance.')
    const chosen = play(hosted, { type: 'hosted', hosted: { name: 'local', url: 'http://localhost:4100' } })
    expect(play(chosen, next).step).toBe('3')
  })

  it('ignores a test result that arrives after the input has changed', () => {
    const target = play(opened, ...starting, { type: 'goal', goal: 'publish' }, next, { type: 'url', url: 'one.test' })
    const other = play(target, { type: 'test' }, { type: 'url', url: 'two.test' })
    expect(play(other, { type: 'tested', test: { connected: false, reason: '' } }).test).toBeNull()
  })

  it('allows APIs or a schema, never both', holds('M2.191', 'M5.44'), () => {
    const third = play(opened, ...exporting)
    expect(problemOf(third)).toBe('Please select at least one API option or a schema/model option.')
    const both = play(third, { type: 'api', api: 'REST', on: true }, { type: 'api', api: 'SOAP', on: true })
    expect(both.apis).toEqual(['REST', 'SOAP'])
    const schema = play(both, { type: 'schema', schema: 'DB_STRUCTURE' })
    expect(schema).toMatchObject({ apis: [], schema: 'DB_STRUCTURE' })
    expect(play(schema, { type: 'api', api: 'GRAPHQL', on: true })).toMatchObject({ apis: ['GRAPHQL'], schema: null })
  })

  it('a database type outside the licence blocks the database step', () => {
    const crm = { name: 'crm', instance: 'http://localhost:4100' }
    const details = { url: 'jdbc:mysql://db/crm', username: 'crm', type: 'mysql', typeName: 'MYSQL' } as const
    const refusal = 'The licence of the organisation does not include MySQL: it allows HSQL.'
    const limited: Blueprint = { ...at('3a1'), allowed: ['hsql'], databaseType: 'mysql' }
    expect(problemOf(limited)).toBe(refusal)
    expect(problemOf({ ...limited, databaseType: 'hsql' })).toBeUndefined()
    const picked = play(limited, { type: 'database', database: 'existing' }, { type: 'existing', existing: crm })
    expect(problemOf(picked)).toBeUndefined()
    expect(problemOf(play(picked, { type: 'details', database: crm, details }))).toBe(refusal)
  })

  it(
    'fills the fields from the details of an existing database',
    holds('M4.27', 'M4.28', 'M4.29', 'M4.30', 'M5.45'),
    () => {
      const initial = at('3a1')
      expect(initial.connection).toEqual({
        url: "jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'",
        username: '',
        password: '',
        databaseName: '',
      })
      const existing = play(initial, filled, { type: 'database', database: 'existing' })
      expect(existing.connection).toEqual({ url: '', username: '', password: '', databaseName: '' })
      expect(problemOf(existing)).toBe('Please select an existing database.')
      const picked = play(existing, { type: 'existing', existing: { name: 'crm', instance: 'http://localhost:4100' } })
      expect(picked.details).toBe('loading')
      const detailed = play(picked, {
        type: 'details',
        database: { name: 'crm', instance: 'http://localhost:4100' },
        details: { url: 'jdbc:postgresql://db/crm', username: 'crm', type: 'postgresql', typeName: 'POSTGRESQL' },
      })
      expect(detailed).toMatchObject({
        databaseType: 'postgresql',
        connection: { url: 'jdbc:postgresql://db/crm', username: 'crm', password: '', databaseName: 'crm' },
      })
      // A late response belongs to the database chosen at that time.
      expect(
        play(detailed, { type: 'detailsFailed', database: { name: 'other', instance: 'http://localhost:4100' } }),
      ).toBe(detailed)
      const reset = play(detailed, { type: 'database', database: 'new' })
      expect(reset.connection).toEqual({
        url: 'jdbc:postgresql://localhost:5432/database',
        username: '',
        password: '',
        databaseName: '',
      })
      expect(
        problemOf(
          play(picked, { type: 'detailsFailed', database: { name: 'crm', instance: 'http://localhost:4100' } }),
        ),
      ).toBe('Failed to fetch database details. Please try again.')
    },
  )

  it('states why no database of an instance can be chosen', () => {
    expect(noDatabases({ ...opened, goal: 'publish' }, [])).toBe('The instance has no databases.')
    expect(noDatabases({ ...opened, goal: 'export' }, [])).toBe('No hosted instance has a database.')
    const instance = { instanceUrl: 'http://localhost:4100' }
    expect(noDatabases(opened, [{ name: 'crm', instance, label: 'crm' }])).toBeUndefined()
    // Still loading.
    expect(noDatabases(opened, undefined)).toBeUndefined()
  })

  it('requires a complete connection', holds('M5.46', 'M5.47', 'M5.48', 'M5.49'), () => {
    const empty = at('3a2', { type: 'connection', change: { url: '', username: '', password: '', databaseName: '' } })
    const change = (field: string): BlueprintEvent => ({ type: 'connection', change: { [field]: 'x' } })
    expect(problemOf(empty)).toBe('Connection URL is required.')
    expect(problemOf(play(empty, change('url')))).toBe('Username is required.')
    expect(problemOf(play(empty, change('url'), change('username')))).toBe('Password is required.')
    const named = play(empty, change('url'), change('username'), change('password'))
    expect(problemOf(named)).toBe('Database name is required.')
    expect(problemOf(play(named, change('databaseName')))).toBeUndefined()
  })

  it('requires no credentials for a database that the instance knows', () => {
    const existing = at(
      '3a1',
      { type: 'database', database: 'existing' },
      { type: 'existing', existing: { name: 'embedded', instance: 'http://localhost:4100' } },
      {
        type: 'details',
        database: { name: 'embedded', instance: 'http://localhost:4100' },
        details: { url: 'jdbc:hsqldb:x', username: 'sa', type: 'hsql', typeName: 'HSQL' },
      },
    )
    expect(neededFields(existing)).toEqual(['url', 'databaseName'])
    expect(emptyFields(existing)).toEqual([])
  })

  it('keeps the URL template in step with type and name until it is edited', holds('M3.40'), () => {
    const urls = packageDatabases.map(databaseType => at('3a1', { type: 'databaseType', databaseType }).connection.url)
    expect(urls).toEqual([
      'jdbc:postgresql://localhost:5432/database',
      "jdbc:mysql://localhost:3306/database?sessionVariables=sql_mode='ANSI'",
      'jdbc:hsqldb:file:${toroesb.home}data/hsql/database.db;hsqldb.tx=MVCC;sql.syntax_mys=true',
      'jdbc:oracle:thin:@localhost:1521:database',
      'jdbc:sqlserver://localhost:1433;databaseName=database',
    ])
    const named = at('3a2', { type: 'connection', change: { databaseName: 'crm' } })
    expect(named.connection.url).toBe("jdbc:mysql://localhost:3306/crm?sessionVariables=sql_mode='ANSI'")
    const own = play(named, { type: 'connection', change: { url: 'jdbc:mysql://db/crm' } })
    const other = play(own, { type: 'connection', change: { databaseName: 'erp' } })
    expect(play(other, { type: 'databaseType', databaseType: 'oracle' }).connection.url).toBe('jdbc:mysql://db/crm')
  })

  it('requires query options and a package', holds('M5.51', 'M5.52', 'M5.53'), () => {
    const sql = at('3a3')
    expect(sql.sql).toEqual({
      applyAutoIncrement: true,
      applyCoalesce: false,
      applyLimitOffset: false,
      applyJoin: false,
    })
    expect(problemOf(play(sql, { type: 'sql', change: { applyAutoIncrement: false } }))).toBeUndefined()
    expect(problemOf({ ...sql, sql: null })).toBe('SQL configuration is required.')
    const named = at('4')
    expect([named.newPackage, problemOf(named)]).toEqual([defaultPackageName(named.manifest?.name ?? ''), undefined])
    const unnamed = play(named, { type: 'newPackage', name: ' ' })
    expect(problemOf(unnamed)).toBe('Please provide a name for the new package.')
    expect(problemOf(play(named, { type: 'newPackage', name: 'a b' }))).toBe(
      "this must contain only letters, digits, '-' and '_'.",
    )
    const existing = play(named, { type: 'packageMode', mode: 'existing' })
    expect(problemOf(existing)).toBe('Please select an existing package.')
    const chosen = play(existing, { type: 'existingPackage', existing: { name: 'crm', versions: ['1.0.4'] } })
    expect(packageOf(chosen)).toBe('crm')
    expect(play(chosen, next).step).toBe('5')
  })
})

describe('Generate in the blueprint wizard', () => {
  const summary = at('4', { type: 'newPackage', name: 'sales' }, next)

  it('builds the next patch of the first listed version, or 1.0.0', holds('M4.32', 'M4.33'), () => {
    expect(versionAfter([], summary)).toBe('1.0.0')
    expect(versionAfter(['1.0.0'], summary)).toBe('1.0.1')
    expect(versionAfter(['1.0.10', '1.0.9'], summary)).toBe('1.0.11')
    const published = {
      ...summary,
      packageMode: 'existing' as const,
      existingPackage: { name: 's', versions: ['1.2.0'] },
    }
    expect(versionAfter(['1.0.4'], published)).toBe('1.2.1')
  })

  it(
    'sends the choices for the manifest and each sub-manifest',
    holds('M3.78', 'M3.79', 'M3.80', 'M3.81', 'M3.82'),
    () => {
      const request = buildRequest(play(summary, { type: 'api', api: 'GRAPHQL', on: true }), '1.0.0')
      expect(request).toMatchObject({
        publishAs: 'PACKAGE',
        customPackageName: 'sales',
        version: '1.0.0',
        customBuild: true,
      })
      expect(request.manifestProperties).toMatchObject(
        ['Shop', 'Billing'].map(manifestName => ({
          manifestName,
          packageProperties: { connectionPoolInfo: { type: 'MYSQL', username: 'shop', databaseName: 'shop' } },
          configurationBuild: { apiConfiguration: { type: ['REST', 'GRAPHQL'] } },
        })),
      )
      const schema = play(summary, { type: 'schema', schema: 'DB_STRUCTURE' })
      expect(buildRequest(schema, '1.0.0').publishAs).toBe('DB_STRUCTURE')
      expect(buildRequest(play(schema, { type: 'schema', schema: 'ENTITY_GLOOP_MODEL' }), '1.0.0').publishAs).toBe(
        'ENTITY_GLOOP_MODEL',
      )
    },
  )

  it('shows the version being built until the build is refused or a choice changes', () => {
    const summary = at('5')
    const building = play(summary, next, { type: 'started', version: '2.0.0' })
    expect(building.startedVersion).toBe('2.0.0')
    expect(play(building, { type: 'refused', message: 'No.' }).startedVersion).toBeNull()
    const built = { packageId: 3, name: 'sales', version: '2.0.0' }
    const done = play(building, { type: 'built', built })
    expect([done.startedVersion, done.built?.version]).toEqual(['2.0.0', '2.0.0'])
    expect(play(done, { type: 'version', version: '3.0.0' })).toMatchObject({ startedVersion: null, version: '3.0.0' })
  })

  it('the wizard is busy until the build ends, and publishes the finished build on retry', holds('M2.200'), () => {
    const building = play(summary, next)
    expect(building.working).toBe('building')
    expect(play(building, back)).toBe(building)
    expect(play(building, { type: 'newPackage', name: 'other' })).toBe(building)
    const built = { packageId: 3, name: 'sales', version: '1.0.0' }
    const publishing = play({ ...building, goal: 'publish' }, { type: 'built', built })
    expect(publishing.working).toBe('publishing')
    const failed = play(publishing, { type: 'refused', message: 'It is away.' })
    expect(failed).toMatchObject({ working: null, built })
    // The instance is first checked for a package of that name.
    const agreed: BlueprintEvent = { type: 'agreed' }
    expect(play(failed, next).working).toBe('asking')
    expect(play(failed, next, agreed).working).toBe('publishing')
    expect(play(failed, { type: 'newPackage', name: 'other' }, next, agreed).working).toBe('building')
    expect(play(failed, next, { type: 'stopped' })).toMatchObject({ working: null, refused: null, built, step: '5' })
  })

  it('builds the accepted version until another choice is made', () => {
    const accepted = play(summary, { type: 'version', version: '2.0.0' })
    expect([versionAfter(['1.0.3'], summary), versionAfter(['1.0.3'], accepted)]).toEqual(['1.0.4', '2.0.0'])
    expect(versionAfter(['1.0.3'], play(accepted, { type: 'newPackage', name: 'other' }))).toBe('1.0.4')
    expect(majorAfter(['1.0.3'], summary)).toBe('2.0.0')
  })
})
