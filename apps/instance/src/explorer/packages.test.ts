import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { probeEngines } from '../testing/probe.ts'

const listed = z.object({ packages: z.array(z.object({ name: z.string() })) })

describe('explorer package list', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance({ openEngine: probeEngines().openEngine })
  })
  afterAll(() => instance.stop())

  const publish = async (name: string, owner: string | null, security: 'NONE' | 'BASIC') => {
    const ownedBy = owner === null ? {} : { owner }
    await instance.upload(packageZip({ name, ...ownedBy, configuration: { security } }))
    expect(await instance.settled(name)).toMatchObject({ status: 'STARTED' })
  }
  const shown = async (query = '') => {
    const answer = await instance.fetch(`/api-explorer/packages.json${query}`)
    return listed.parse(await answer.json()).packages.map(({ name }) => name)
  }

  it('lists all packages of a single organisation, otherwise public packages and the named one', async () => {
    await publish('stock', 'one', 'BASIC')
    await publish('depot', 'one', 'BASIC')
    // A package of an earlier release has no owner uid.
    await publish('cellar', null, 'BASIC')
    expect(await shown()).toEqual(['cellar', 'depot', 'stock'])
    await publish('prices', 'two', 'NONE')
    await publish('salaries', 'two', 'BASIC')
    expect(await shown()).toEqual(['prices'])
    expect(await shown('?package=stock')).toEqual(['prices', 'stock'])
    expect(await shown('?package=stock&package=salaries')).toEqual(['prices'])
    expect(await shown('?package=nobody')).toEqual(['prices'])
  })
})
