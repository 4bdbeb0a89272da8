import { describe, expect, it } from 'vitest'
import { advice, ConfigError, readConfig } from './config.ts'

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('settings of the instance', () => {
  it('settings default to port 4100 on the loopback address, a folder below data and any database', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ port: 4100, host: '127.0.0.1', publicUrl: null, issuer: null })
    expect(config).toMatchObject({ consoleSecret: null, allowedDatabases: null, requestsPerSecond: null })
    expect(config.dataDir).toMatch(/data[/\\]instance$/)
    expect(config.usersFile).toMatch(/data[/\\]instance[/\\]users$/)
  })

  it('readConfig reports all invalid settings by name', () => {
    const cases: [Record<string, string>, string][] = [
      [{ CADMUS_INSTANCE_PORT: 'x' }, 'CADMUS_INSTANCE_PORT'],
      [{ CADMUS_INSTANCE_PORT: '70000' }, 'CADMUS_INSTANCE_PORT'],
      [{ CADMUS_INSTANCE_SECRET: 'a'.repeat(31) }, 'CADMUS_INSTANCE_SECRET'],
      [{ CADMUS_INSTANCE_PUBLIC_URL: 'http://localhost:4100/path' }, 'CADMUS_INSTANCE_PUBLIC_URL'],
      [{ CADMUS_INSTANCE_PUBLIC_URL: 'localhost' }, 'CADMUS_INSTANCE_PUBLIC_URL'],
      [{ CADMUS_OIDC_ISSUER: 'http://id.example.com' }, 'CADMUS_OIDC_ISSUER'],
      [{ CADMUS_OIDC_JWKS_URL: 'ftp://id.example.com' }, 'CADMUS_OIDC_JWKS_URL'],
      [{ CADMUS_INSTANCE_REQUESTS_PER_SECOND: '0' }, 'CADMUS_INSTANCE_REQUESTS_PER_SECOND'],
      [{ CADMUS_LOG_LEVEL: 'loud' }, 'CADMUS_LOG_LEVEL'],
    ]
    for (const [environment, name] of cases) {
      const problems = problemsOf(environment)
      expect([environment, problems.length]).toEqual([environment, 1])
      expect(problems[0]).toMatch(new RegExp(`^${name} `))
    }
    expect(problemsOf({ CADMUS_INSTANCE_PORT: 'x', CADMUS_LOG_LEVEL: 'loud' })).toHaveLength(2)
  })

  it('advice recommends CADMUS_ALLOWED_DATABASES for an instance that others can reach', () => {
    const sentence = /^CADMUS_ALLOWED_DATABASES is not set: packages may connect to any host and port/
    for (const hosted of [
      { CADMUS_INSTANCE_HOST: '0.0.0.0' },
      { CADMUS_INSTANCE_PUBLIC_URL: 'https://api.example.com' },
    ]) {
      expect(advice(readConfig(hosted))).toEqual([expect.stringMatching(sentence)])
      for (const databases of ['db.example.com:5432', 'none']) {
        expect(advice(readConfig({ ...hosted, CADMUS_ALLOWED_DATABASES: databases }))).toEqual([])
      }
    }
    expect(advice(readConfig({}))).toEqual([])
    expect(advice(readConfig({ CADMUS_INSTANCE_PUBLIC_URL: 'http://localhost:4100' }))).toEqual([])
  })

  it('readConfig accepts valid values', () => {
    const config = readConfig({
      CADMUS_INSTANCE_HOST: '0.0.0.0',
      CADMUS_INSTANCE_PUBLIC_URL: 'https://api.example.com',
      CADMUS_DATA_DIR: '/var/lib/cadmus',
      CADMUS_INSTANCE_USERS: '/etc/cadmus/users',
      CADMUS_OIDC_ISSUER: 'https://id.example.com/realm',
      CADMUS_ALLOWED_DATABASES: 'db.example.com:5432, db2.example.com:3306',
    })
    expect(config).toMatchObject({
      host: '0.0.0.0',
      dataDir: '/var/lib/cadmus/instance',
      usersFile: '/etc/cadmus/users',
    })
    expect(config.publicUrl?.origin).toBe('https://api.example.com')
    expect(config.allowedDatabases).toEqual(['db.example.com:5432', 'db2.example.com:3306'])
  })
})
