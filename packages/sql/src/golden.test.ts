import { databaseTypes } from '@cadmus/model/database-types'
import { describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { hardModels } from './testing/hard-models.ts'

const options = { applyAutoIncrement: true }

describe.each(Object.entries(hardModels))('The script of %s equals the golden file', (model, make) => {
  it.each(databaseTypes)('%s', async type => {
    const { sql } = databaseScript(make(), type, options)
    await expect(sql).toMatchFileSnapshot(`../golden/${model}.${type}.sql`)
  })

  it('Decisions 7: identical input gives identical bytes', () => {
    for (const type of databaseTypes) {
      expect(databaseScript(make(), type, options).sql).toBe(databaseScript(make(), type, options).sql)
    }
  })
})
