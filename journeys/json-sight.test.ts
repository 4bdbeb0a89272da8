import { describe, expect, it } from 'vitest'
import { violationsInAnyLook } from './driver/axe.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { arriveAsAdmin, jsonTabOn } from './driver/json-tab.ts'
import { expectClean } from './driver/sight.ts'
import { expectShown, press, snackbar } from './driver/widgets.ts'

const desk = await openDesk({ user: 'nobody' })
const { page } = desk
await arriveAsAdmin(page)
const { editSource, node, open, save, source, stored, type, write } = jsonTabOn(page)

describe('Looks', () => {
  const wide = Array.from({ length: 5000 }, (_, at) => ({ name: `field_${String(at).padStart(4, '0')}` }))

  it('has only the rows in the page that are in sight, also with 5,000 attributes', async () => {
    const entity = await open(wide)
    await node(/^typeAttributes/).focus()
    await page.keyboard.press('ArrowRight')
    await expectShown(node(/^field_0000/))
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await type(node(/^description/), 'Of many')
    await expectShown(node('description: "Of many"'))
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100)
    await editSource()
    await shoot(page, 'json-source-5000')
    await press(source, 'Cancel')
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await stored(entity)).toMatchObject({ description: 'Of many' })
  })

  it('shows how a long value begins, and the whole in its title', async () => {
    await open()
    const long = `${'long '.repeat(100)}text`
    await type(node(/^description/), long)
    const value = node(/^description/).getByTitle(long, { exact: true })
    await expectShown(value)
    expect(await value.textContent()).toBe(`"${long.slice(0, 300)}…"`)
    expect(await value.evaluate(shown => getComputedStyle(shown).textOverflow)).toBe('ellipsis')
    await page.setViewportSize({ width: 1024, height: 768 })
    await shoot(page, 'json-long-1024')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('has no accessibility faults in any look', async () => {
    await open()
    await node(/^typeAttributes/).click()
    await node(/^typeAttributes/).dblclick()
    await node(/^code/).dblclick()
    await expectClean(page, 'json')
    await node(/^traits/).click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await expectClean(page, 'json-menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1024, height: 768 })
    await shoot(page, 'json-1024')
    await type(node(/^name/), '1')
    await expectClean(page, 'json-field-error')
    await page.keyboard.press('Escape')
    await node(/^description/).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    for (const line of ['two', 'three']) {
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type(line)
    }
    await shoot(page, 'json-lines')
    await page.keyboard.press('Enter')
    await expectShown(node(String.raw`description: "As it was\ntwo\nthree"`))
    await editSource()
    await expectClean(page, 'json-source-1024')
    await page.setViewportSize({ width: 1440, height: 900 })
    await shoot(page, 'json-source')
    await page.keyboard.press('Control+f')
    await expectShown(source.getByRole('textbox', { name: 'Find' }))
    expect(await violationsInAnyLook(page, 'json-source-find')).toEqual([])
    await page.keyboard.press('Escape')
    await write('{ "name": 1, "description": null }')
    await press(source, 'Apply')
    await expectShown(source.getByText('and 4 more', { exact: true }))
    await shoot(page, 'json-source-problems')
    await write('{')
    await expectShown(source.getByText(/^Syntax Error: /))
    await expectClean(page, 'json-source-refused')
    await press(source, 'Cancel')
  })
})
