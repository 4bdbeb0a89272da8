import { newConfiguration } from '@cadmus/model/configuration'
import { expect, it } from 'vitest'
import type { Publication, RebuildCheck } from '../../api/publications.ts'
import { answersOf } from './answers.ts'

const publication: Publication = {
  packageId: 3,
  packageName: 'shop',
  manifestId: 7,
  version: '1.2.0',
  instanceUrl: 'https://run.test',
  signedIn: false,
  state: 'STARTED',
  userName: 'Ann',
  publishedAt: '2026-01-01T00:00:00.000Z',
}
const check: RebuildCheck = {
  result: 'OK',
  message: '',
  version: '1.2.1',
  basedOn: '1.2.0',
  suggestion: null,
  opened: [],
  openedCount: 0,
  access: null,
  publishAs: 'PACKAGE',
  apis: ['REST'],
  sql: newConfiguration('Shop').configurationBuild.sqlConfiguration,
  connection: {
    type: 'HSQL',
    url: 'jdbc:hsqldb:embedded',
    databaseName: 'embedded',
    username: 'sa',
    hasPassword: false,
  },
  choices: [],
  problems: [],
  errors: 0,
  warnings: 0,
}
const hosted = [{ name: 'Local', path: 'https://run.test' }]

it('a publication to a hosted instance with a database of its own needs no further answers', () => {
  expect(answersOf(publication, check, hosted)).toMatchObject({
    target: 'hosted',
    hosted: { name: 'Local', url: 'https://run.test' },
    apis: ['REST'],
    schema: null,
    database: 'existing',
    existing: { name: 'embedded', instance: 'https://run.test' },
    databaseType: 'hsql',
    existingPackage: { name: 'shop', versions: ['1.2.0'] },
  })
})

it('passwords have to be typed again', () => {
  const own = { ...check.connection, type: 'POSTGRESQL', url: 'jdbc:postgresql://db/shop', hasPassword: true }
  const answers = answersOf({ ...publication, signedIn: true }, { ...check, connection: own }, hosted)
  expect(answers).toMatchObject({
    target: 'selfManaged',
    url: 'https://run.test',
    signsIn: true,
    database: 'new',
    databaseType: 'postgresql',
    connection: { url: 'jdbc:postgresql://db/shop', username: 'sa', password: '' },
  })
})

it('a package without an API repeats its kind', () => {
  const models = { ...check, publishAs: 'ENTITY_GLOOP_MODEL' as const }
  expect(answersOf(publication, models, hosted)).toMatchObject({ schema: 'ENTITY_GLOOP_MODEL', apis: [] })
})
