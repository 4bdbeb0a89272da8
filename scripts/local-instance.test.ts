import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consoleUrlOf, localInstance } from './local-instance.ts'

describe('the local instance of a console', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cadmus-local-instance-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('shares a secret with the console that is created at the first start, readable only by its owner', () => {
    const first = localInstance({ CADMUS_DATA_DIR: folder }, 'http://localhost:4000')
    const secret = first?.instance['CADMUS_INSTANCE_SECRET']
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(first).toEqual({
      url: 'http://localhost:4100',
      console: {
        CADMUS_INSTANCES: 'local=http://localhost:4100',
        CADMUS_INSTANCE_SECRET_LOCAL: secret,
        CADMUS_ALLOWED_INSTANCES: 'http://localhost:4100',
      },
      instance: {
        CADMUS_INSTANCE_DATA_DIR: join(folder, 'instance'),
        CADMUS_INSTANCE_SECRET: secret,
        CADMUS_OIDC_ISSUER: 'http://localhost:4000/oidc',
      },
    })
    expect(localInstance({ CADMUS_DATA_DIR: folder }, 'http://localhost:4000')).toEqual(first)
    expect(readdirSync(join(folder, 'instance'))).toEqual(['console-secret'])
    expect(statSync(join(folder, 'instance', 'console-secret')).mode & 0o077).toBe(0)
  })

  it('uses the settings of the environment', () => {
    const environment = {
      CADMUS_INSTANCE_PORT: '5100',
      CADMUS_INSTANCE_DATA_DIR: join(folder, 'elsewhere'),
      CADMUS_INSTANCE_SECRET: 'a secret that was chosen, long enough',
      CADMUS_OIDC_ISSUER: 'https://id.example.com',
      CADMUS_ALLOWED_INSTANCES: 'https://far.example.com',
    }
    expect(localInstance(environment, 'http://localhost:4000')).toMatchObject({
      url: 'http://localhost:5100',
      console: { CADMUS_ALLOWED_INSTANCES: 'https://far.example.com,http://localhost:5100' },
      instance: {
        CADMUS_OIDC_ISSUER: 'https://id.example.com',
        CADMUS_INSTANCE_SECRET: 'a secret that was chosen, long enough',
      },
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not started if hosted instances are configured', () => {
    expect(localInstance({ CADMUS_INSTANCES: 'far=https://far.example.com' }, 'http://localhost:4000')).toBeNull()
  })

  it('refers to the console by its public address, else by its port', () => {
    expect(consoleUrlOf({})).toBe('http://localhost:4000')
    expect(consoleUrlOf({ CADMUS_PORT: '5000' })).toBe('http://localhost:5000')
    expect(consoleUrlOf({ CADMUS_PUBLIC_URL: 'https://cadmus.example.com/' })).toBe('https://cadmus.example.com')
  })
})
