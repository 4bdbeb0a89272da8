import { describe, expect, it } from 'vitest'
import type { PackageItem } from '../api/packages.ts'
import { hostingStatesOf, formatStatus } from './hosting-state.ts'

type Build = PackageItem['builds'][number]

const build = (version: string, more: Partial<Build> = {}): Build => ({
  version,
  status: 'SUCCESS',
  reason: '',
  publishAs: 'PACKAGE',
  size: 1,
  userName: 'ada',
  askedAt: '',
  endedAt: '',
  manifestVersion: '1.0.0',
  ...more,
})
const shop = { name: 'Shop', builds: [build('1.0.1'), build('1.0.0', { publishAs: 'DB_STRUCTURE' })] }
const hosted = (status: string, version = '1.0.1', runningVersion?: string) => ({
  name: 'local',
  instanceUrl: 'http://localhost:4100',
  packages: [
    { id: 'a', name: 'Other', versions: ['9.0.0'], status: 'STARTED' },
    { id: 'b', name: 'Shop', versions: [version], status, ...(runningVersion ? { runningVersion } : {}) },
  ],
  failure: null,
})

describe('the hosting state of a package', () => {
  it('lists each hosted instance that has the package and has responded', () => {
    const silent = { name: 'away', instanceUrl: 'http://away', packages: undefined, failure: null }
    const [only, ...more] = hostingStatesOf(shop, [hosted('STARTED'), silent])
    expect(more).toEqual([])
    expect(only).toMatchObject({ instance: 'local', version: '1.0.1', runningVersion: '1.0.1' })
    expect(hostingStatesOf({ ...shop, name: 'shop' }, [hosted('STARTED')])).toEqual([])
  })

  it('offers Start for a version that is not started, or shows why it is unavailable', () => {
    const startOf = (status: string, version?: string) => hostingStatesOf(shop, [hosted(status, version)])[0]?.start
    expect(['LOADED', 'UNLOADED', 'START_FAILED'].map(status => startOf(status))).toEqual([false, false, false])
    expect(['STARTED', 'STARTING', 'LOAD_FAILED'].map(status => startOf(status))).toEqual([null, null, null])
    expect(startOf('LOADED', '0.9.0')).toBe('The build of version 0.9.0 was deleted. Upload another version.')
  })

  it('is marked as outdated if the instance no longer responds', () => {
    const failure = { message: 'It is away.', busy: false, retry: () => undefined }
    expect(hostingStatesOf(shop, [{ ...hosted('STARTING'), failure }])[0]).toMatchObject({
      status: 'STARTING',
      isOutdated: true,
    })
    expect(hostingStatesOf(shop, [hosted('STARTING')])[0]?.isOutdated).toBe(false)
  })

  it('links to the explorer if a running version has an API', () => {
    const hasExplorer = (status: string, version?: string, running?: string) =>
      hostingStatesOf(shop, [hosted(status, version, running)])[0]?.hasExplorer
    expect([hasExplorer('STARTED'), hasExplorer('LOADED'), hasExplorer('START_FAILED', '1.0.1', '0.9.0')]).toEqual([
      true,
      false,
      true,
    ])
    expect(hasExplorer('STARTED', '1.0.0')).toBe(false)
  })

  it('has readable labels', () => {
    expect(['STARTED', 'START_FAILED'].map(formatStatus)).toEqual(['Started', 'Start failed'])
  })
})
