import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { accessOf, instanceProblem, isEntered, newUpload, withScheme } from './upload-flow.ts'

const hosted = new Set(['http://localhost:4100'])

describe('the instance of an upload', () => {
  it.each([
    ['', 'You must select an instance'],
    ['  ', 'You must select an instance'],
    ['http://', 'Must be a valid HTTP URL'],
    ['ftp://x', 'Must be a valid HTTP URL'],
    ['http://x', null],
    ['host.test', null],
  ])('the problem of the address "%s" is %s', holds('M5.15', 'M5.16', 'M5.18'), (address, problem) => {
    expect(instanceProblem(address)).toBe(problem)
  })

  it('an address without a scheme gets https, an invalid one is unchanged', holds('M5.17'), () => {
    expect(['host.test', 'http://host.test', 'ftp://x'].map(withScheme)).toEqual([
      'https://host.test',
      'http://host.test',
      'ftp://x',
    ])
  })

  it(
    'a hosted instance needs no sign-in, another one gets a user name with a password, or a token',
    holds('M2.222'),
    () => {
      const signIn = { ...newUpload, username: 'ada', password: 's3cret', token: 'a-token' }
      const at = (instance: string, method: 'credentials' | 'token') =>
        accessOf({ ...signIn, instance, method }, hosted)
      expect(at('http://localhost:4100', 'credentials')).toEqual({ instanceUrl: 'http://localhost:4100' })
      expect(at('host.test', 'credentials')).toEqual({
        instanceUrl: 'https://host.test',
        credentials: { username: 'ada', password: 's3cret' },
      })
      expect(at('host.test', 'token')).toEqual({ instanceUrl: 'https://host.test', token: 'a-token' })
      expect(accessOf({ ...newUpload, instance: 'host.test' }, hosted)).toEqual({ instanceUrl: 'https://host.test' })
    },
  )

  it('closing loses input only if a field was filled in', () => {
    expect([isEntered(newUpload), isEntered({ ...newUpload, token: 'x' })]).toEqual([false, true])
  })
})
