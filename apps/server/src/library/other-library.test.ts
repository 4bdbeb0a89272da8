import { listEntities } from '@cadmus/model/contract/entity'
import { getNavigator } from '@cadmus/model/contract/navigator'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLibrary } from './load-library.ts'
import { startConsole } from '../testing/console.ts'

const shipped = resolve(import.meta.dirname, '../../../../library')
const documents = resolve(import.meta.dirname, '../../../../../shared/cdm/schemaDocuments')

describe('Another folder as library (CADMUS_LIBRARY_DIR)', () => {
  it.skipIf(!existsSync(documents))('serves real documents, whatever their root manifests', async () => {
    const console = await startConsole({ env: { CADMUS_LIBRARY_DIR: documents } })
    const designer = await console.as('designer')
    const { totalElements } = await designer.call(listEntities, { query: { filter: 'DEFAULT', limit: 1 } })
    expect(totalElements).toBe(322)
    const { coreSchema } = await designer.call(getNavigator, {})
    const accounts = coreSchema.nodes.filter(node => node.name === 'Account').map(node => node.path)
    expect(accounts).toContain('predefined/core/applicationCommon/Account')
    expect(accounts).toContain('predefined/core/applicationCommon/foundationCommon/Account')
    expect(new Set(coreSchema.nodes.map(node => node.kind + node.path)).size).toBe(coreSchema.nodes.length)
    await console.stop()
  })

  it('reads only the newest version of a versioned manifest', async () => {
    const folder = temporaryFolder('library')
    const write = (path: string, json: object) => writeFileSync(join(folder, path), JSON.stringify(json))
    for (const version of ['9.0', '10.0']) {
      const name = `Plan${version.replace('.', '')}`
      write(`plans.${version}.manifest.cdm.json`, {
        manifestName: 'plans',
        entities: [{ type: 'LocalEntity', entityName: name, entityPath: `${name}.cdm.json/${name}` }],
      })
      const key = { name: 'planId', purpose: 'identifiedBy', dataType: 'integer' }
      write(`${name}.cdm.json`, { definitions: [{ entityName: name, hasAttributes: [key] }] })
    }
    const console = await startConsole({ env: { CADMUS_LIBRARY_DIR: folder } })
    const designer = await console.as('designer')
    const { coreSchema } = await designer.call(getNavigator, {})
    expect(coreSchema.nodes.map(node => node.path)).toContain('predefined/Plan100')
    expect(coreSchema.nodes.map(node => node.path)).not.toContain('predefined/Plan90')
    await console.stop()
    removeFolder(folder)
  })

  it('an unreadable library folder is logged and the previous content is kept', async () => {
    const folder = temporaryFolder('library')
    cpSync(join(shipped, 'projects'), join(folder, 'projects'), { recursive: true })
    const console = await startConsole({ env: { CADMUS_LIBRARY_DIR: folder } })
    const designer = await console.as('designer')
    const before = await designer.call(getNavigator, {})
    expect(before.coreSchema.nodes.map(node => node.path)).toContain('predefined/projects/Milestone')
    writeFileSync(join(folder, 'projects/projects.manifest.cdm.json'), '{"manifestName": ')
    await expect(loadLibrary(console.context)).rejects.toThrow(
      'The library could not be read. projects/projects.manifest.cdm.json is not JSON.',
    )
    expect(await designer.call(getNavigator, {})).toEqual(before)
    expect(console.log.some(line => line.includes('reading the library failed'))).toBe(true)
    await console.stop()
    removeFolder(folder)
  })
})
