import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('Settings', () => {
  it('default to port 4000 on loopback, the embedded store and the development provider', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ port: 4000, host: '127.0.0.1', publicUrl: null, oidc: { kind: 'embedded' } })
    expect(config.store).toMatchObject({ kind: 'sqlite' })
    expect(config).toMatchObject({ adminClaim: 'cadmus_admin', serviceOrganisation: 'CADMUS', demo: false })
  })

  it('report all problems at once, each with its setting', () => {
    const cases: [Record<string, string>, string][] = [
      [{ CADMUS_PORT: 'x' }, 'CADMUS_PORT'],
      [{ CADMUS_PORT: '70000' }, 'CADMUS_PORT'],
      [{ CADMUS_BOOTSTRAP_TOKEN: 'a'.repeat(31) }, 'CADMUS_BOOTSTRAP_TOKEN'],
      [{ CADMUS_DATABASE_URL: 'postgres://localhost/cadmus' }, 'CADMUS_SECRET'],
      [{ CADMUS_DATABASE_URL: 'mysql://localhost/cadmus', CADMUS_SECRET: 'ab'.repeat(32) }, 'CADMUS_DATABASE_URL'],
      [{ CADMUS_SECRET: 'short' }, 'CADMUS_SECRET'],
      [{ CADMUS_HOST: '0.0.0.0' }, 'CADMUS_OIDC_ISSUER'],
      [{ CADMUS_PUBLIC_URL: 'https://cadmus.example.com' }, 'CADMUS_OIDC_ISSUER'],
      [{ CADMUS_PUBLIC_URL: 'http://localhost:4000/path' }, 'CADMUS_PUBLIC_URL'],
      [{ CADMUS_PUBLIC_URL: 'localhost' }, 'CADMUS_PUBLIC_URL'],
      [{ CADMUS_OIDC_ISSUER: 'https://id.example.com' }, 'CADMUS_OIDC_CLIENT_ID'],
      [{ CADMUS_OIDC_ISSUER: 'http://id.example.com', CADMUS_OIDC_CLIENT_ID: 'x' }, 'CADMUS_OIDC_ISSUER'],
      [{ CADMUS_LIBRARY_DIR: '/nowhere/at/all' }, 'CADMUS_LIBRARY_DIR'],
      [{ CADMUS_INSTANCES: 'local' }, 'CADMUS_INSTANCES'],
      [{ CADMUS_LOG_LEVEL: 'loud' }, 'CADMUS_LOG_LEVEL'],
      [{ CADMUS_DEMO: 'perhaps' }, 'CADMUS_DEMO'],
      [{ CADMUS_DEMO_PERMISSIONS: 'some' }, 'CADMUS_DEMO_PERMISSIONS'],
    ]
    for (const [environment, name] of cases) {
      const problems = problemsOf(environment)
      expect([environment, problems.length]).toEqual([environment, 1])
      expect(problems[0]).toMatch(new RegExp(`^${name} `))
    }
    expect(problemsOf({ CADMUS_PORT: 'x', CADMUS_LOG_LEVEL: 'loud' })).toHaveLength(2)
  })

  it('are read from the environment', () => {
    const config = readConfig({
      CADMUS_HOST: '0.0.0.0',
      CADMUS_DEMO: '1',
      CADMUS_PUBLIC_URL: 'https://demo.example.com',
      CADMUS_DATABASE_URL: 'postgresql://localhost/cadmus',
      CADMUS_SECRET: Buffer.alloc(32, 7).toString('base64'),
      CADMUS_INSTANCES: 'local=http://localhost:4100, far=https://far.example.com/',
      CADMUS_INSTANCE_SECRET_FAR: 'hush',
      CADMUS_ALLOWED_DATABASES: 'db.example.com:5432,db2.example.com:3306',
    })
    expect(config).toMatchObject({ demo: true, host: '0.0.0.0', store: { kind: 'postgres' } })
    expect(config.secret).toEqual(Buffer.alloc(32, 7))
    expect(config.instances.map(({ name, secret }) => [name, secret])).toEqual([
      ['local', null],
      ['far', 'hush'],
    ])
    expect(config.allowedDatabases).toHaveLength(2)
  })
})
