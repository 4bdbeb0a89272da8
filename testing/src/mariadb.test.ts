import { describe, expect, it } from 'vitest'
import { mariadbAvailability } from './availability.ts'
import { startMariadb } from './mariadb.ts'

const mariadb = mariadbAvailability()

describe.skipIf(!mariadb.present)(`MariaDB ${mariadb.advice}`, () => {
  it('is shared and provides a separate database for each test', async () => {
    const server = await startMariadb()
    const [one, two] = [await server.createDatabase(), await server.createDatabase()]
    await one.execute('CREATE TABLE `Ünal` (id bigint); INSERT INTO `Ünal` VALUES (9007199254740993);')
    expect(await one.query('SELECT id FROM `Ünal`')).toEqual([{ id: '9007199254740993' }])
    await expect(two.query('SELECT * FROM `Ünal`')).rejects.toThrow("doesn't exist")
    expect(server.version).toMatch(/MariaDB/)
    await Promise.all([one.drop(), two.drop()])
  })

  it('runs a script in the requested sql_mode', async () => {
    const server = await startMariadb()
    const [standard, ansi] = [await server.createDatabase(), await server.createDatabase('ANSI')]
    await ansi.execute('CREATE TABLE "quoted" (id int)')
    await expect(standard.execute('CREATE TABLE "quoted" (id int)')).rejects.toThrow('SQL syntax')
    await Promise.all([standard.drop(), ansi.drop()])
  })
})
