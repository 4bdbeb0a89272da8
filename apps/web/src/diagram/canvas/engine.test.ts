import { join } from 'node:path'
import { launchChromium } from '@cadmus/testing/chromium'
import { buildPage, openPage } from '@cadmus/testing/built-page'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {} from '../../testing/diagram/page.ts'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<typeof openPage>>['page']

let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await launchChromium()
  const built = await buildPage(join(import.meta.dirname, '../../testing/diagram'), 'page.html')
  ;({ page, errors } = await openPage(browser, built, { viewport: { width: 1000, height: 700 } }))
})
afterAll(() => browser.close())
beforeEach(async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.reload()
})
afterEach(() => {
  const all = errors.splice(0)
  if (all.length > 0) throw new Error(all.join('\n'))
})

/** Whether a fresh engine draws the same picture. From 0.22 on lanes of links depend on which was led first. */
function isAsFresh(): Promise<boolean> {
  return page.evaluate(async () => {
    const before = diagramPage.pixels
    await diagramPage.again()
    return before === diagramPage.pixels
  })
}

describe('the picture of a diagram', () => {
  it.each([0.05, 0.13, 0.21])('is sharp at rest after panning and zooming to %d', async zoom => {
    await page.evaluate(async zoom => {
      await diagramPage.open(200)
      const { engine } = diagramPage
      const { x, y } = engine.camera
      for (let step = 0; step < 12; step++) {
        engine.look({ x: x + step * 77.3, y: y - step * 13.7, zoom: zoom * 1.4 ** (step - 6) })
        await new Promise(requestAnimationFrame)
      }
      engine.look({ x: x + 100.7, y: y + 33.3, zoom })
      await diagramPage.whole()
    }, zoom)
    expect(await isAsFresh()).toBe(true)
  })

  it.each([
    ['places', 0.2],
    ['hidden', 0.1],
    ['marks', 0.3],
    ['linkMarks', 0.1],
    ['hiddenNeighbours', 0.45],
    ['chosen', 0.2],
    ['way', 0.2],
    ['focused', 0.3],
    ['scene', 0.3],
  ] as const)('shows other %s as a fresh engine does', async (part, zoom) => {
    const pixels = await page.evaluate(
      async ([part, zoom]) => {
        await diagramPage.open(200)
        await diagramPage.lookAt(60, zoom)
        const before = diagramPage.pixels
        const { scene, places } = diagramPage.picture
        const changes = {
          places: { x: places.x.map((x, card) => (card % 5 === 0 ? x + 160 : x)), y: places.y },
          hidden: new Set([60, 61, 62, 63]),
          marks: new Map([[60, 'added'] as const, [61, 'removed'] as const]),
          linkMarks: new Map([[180, 'added'] as const, [181, 'removed'] as const, [182, 'changed'] as const]),
          hiddenNeighbours: new Map([[60, 7]]),
          chosen: new Set([60, 64]),
          way: new Set([180, 181, 182, 183]),
          focused: 60,
          scene: { ...scene, names: scene.names.map(name => `x${name}`) },
        }
        await diagramPage.change({ [part]: changes[part] })
        return [before, diagramPage.pixels]
      },
      [part, zoom] as const,
    )
    expect(pixels[0]).not.toBe(pixels[1])
    expect(await isAsFresh()).toBe(true)
  })

  it('paints nothing again for an equal picture or another choice, and few tiles for a moved card', async () => {
    const painted = await page.evaluate(async () => {
      await diagramPage.open(200)
      await diagramPage.lookAt(60, 0.3)
      await diagramPage.change({ chosen: new Set([60]) })
      const counts: number[] = []
      const { places } = diagramPage.picture
      for (const part of [
        {},
        { chosen: new Set([61, 62]), focused: 61 },
        { marks: new Map([[60, 'problem'] as const]) },
        { places: { x: places.x.with(60, places.x[60]! + 8), y: places.y } },
      ]) {
        const before = diagramPage.painted
        await diagramPage.change(part)
        counts.push(diagramPage.painted - before)
      }
      return counts
    })
    expect(painted.slice(0, 2)).toEqual([0, 0])
    expect(painted[2]).toBeGreaterThan(0)
    expect(painted[2]).toBeLessThanOrEqual(4)
    expect(painted[3]).toBeGreaterThan(0)
  })

  it('holds at most 100 tiles of a megabyte however far the camera goes', async () => {
    const held = await page.evaluate(async () => {
      await diagramPage.open(1000)
      let most = 0
      for (let card = 0; card < 1000; card += 40) {
        await diagramPage.lookAt(card, card % 80 === 0 ? 0.3 : 0.9)
        most = Math.max(most, diagramPage.held)
      }
      return most
    })
    expect(held).toBeGreaterThan(50)
    expect(held).toBeLessThanOrEqual(100)
  })

  it('follows the theme of the page and of the system', async () => {
    const light = await page.evaluate(async () => {
      await diagramPage.openClinic()
      return diagramPage.pixels
    })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(pixels => diagramPage.pixels !== pixels, light)
    const back = await page.evaluate(async () => {
      await diagramPage.whole()
      document.documentElement.dataset['theme'] = 'light'
      await diagramPage.whole()
      return diagramPage.pixels
    })
    expect(back === light).toBe(true)
  })

  it('requests rows of cards in view once they can be read, and shows them when they come', async () => {
    const requested = await page.evaluate(async () => {
      await diagramPage.open(200, { rows: 'none' })
      await diagramPage.lookAt(60, 0.2)
      const far = diagramPage.requested.length
      await diagramPage.lookAt(60, 0.8)
      const bars = diagramPage.pixels
      const row = { uid: 'r', name: 'a', type: 'text', kind: 'attribute', nullable: false } as const
      await diagramPage.change({ rows: () => [row] })
      return { far, near: diagramPage.requested, isOther: bars !== diagramPage.pixels }
    })
    expect(requested.far).toBe(0)
    expect(requested.near).toContain(60)
    expect(new Set(requested.near).size).toBeLessThan(60)
    expect(requested.isOther).toBe(true)
  })
})

describe('the engine of a diagram', () => {
  it('reports what lies under a point', async () => {
    const hits = await page.evaluate(async () => {
      await diagramPage.openClinic({ hiddenNeighbours: new Map([[2, 7]]) })
      const { engine } = diagramPage
      const at = (x: number, y: number) => engine.hit(engine.toScreen({ x, y }))
      return [at(100, 10), at(500, 65), at(241, 65), at(220, 350), at(256, 15), at(300, 400), at(800, 800)]
    })
    expect(hits).toEqual([
      { kind: 'card', card: 0, row: undefined },
      { kind: 'card', card: 1, row: 1 },
      { kind: 'handle', card: 0, row: 1 },
      { kind: 'port', card: 2 },
      { kind: 'link', link: 0 },
      { kind: 'ground' },
      { kind: 'ground' },
    ])
  })

  it('carries cards, and puts them back where the next picture does not have them', async () => {
    const places = await page.evaluate(async () => {
      await diagramPage.openClinic()
      const { engine, picture } = diagramPage
      const before = diagramPage.pixels
      engine.lift([0, 1])
      engine.carry({ x: 16, y: 400 })
      engine.drop()
      await diagramPage.whole()
      const dropped = engine.boxOf(0)
      const isOther = diagramPage.pixels !== before
      engine.show(picture)
      await diagramPage.whole()
      return { dropped, isOther, back: engine.boxOf(0), isBack: diagramPage.pixels === before }
    })
    expect(places.dropped).toMatchObject({ left: 16, top: 400 })
    expect(places.back).toMatchObject({ left: 0, top: 0 })
    expect(places).toMatchObject({ isOther: true, isBack: true })
  })

  it('draws a dropped card where it lies, as a fresh engine does', async () => {
    await page.evaluate(async () => {
      await diagramPage.open(200)
      await diagramPage.lookAt(60, 0.2)
      const { engine, picture } = diagramPage
      engine.lift([60])
      engine.carry({ x: 80, y: -160 })
      await diagramPage.whole()
      engine.drop()
      const { places } = picture
      const moved = { x: places.x.with(60, places.x[60]! + 80), y: places.y.with(60, places.y[60]! - 160) }
      await diagramPage.change({ places: moved })
    })
    expect(await isAsFresh()).toBe(true)
  })

  it('reveals a card with the least move, and fits everything or some cards', async () => {
    const seen = await page.evaluate(async () => {
      await diagramPage.openClinic()
      const { engine } = diagramPage
      engine.look({ x: 5000, y: 200, zoom: 1 })
      engine.reveal(1)
      const revealed = engine.toScreen({ x: 400, y: 0 })
      engine.fit()
      const corners = [engine.toScreen({ x: 0, y: 0 }), engine.toScreen({ x: 640, y: 356 })]
      engine.fit([0])
      return { revealed, corners, zoom: engine.camera.zoom }
    })
    expect(seen.revealed.x).toBeCloseTo(40)
    expect(seen.corners[0]!.x).toBeGreaterThan(0)
    expect(seen.corners[1]!.x).toBeLessThan(1000)
    expect(seen.zoom).toBe(1)
  })

  it('zooms around a point', async () => {
    const [before, after] = await page.evaluate(async () => {
      await diagramPage.openClinic()
      const { engine } = diagramPage
      const before = engine.toWorld({ x: 120, y: 80 })
      engine.zoomTo(0.37, { x: 120, y: 80 })
      return [before, engine.toWorld({ x: 120, y: 80 })]
    })
    expect(after!.x).toBeCloseTo(before!.x)
    expect(after!.y).toBeCloseTo(before!.y)
  })

  it.each([
    ['stays whole in a narrower canvas', false, true],
    ['stays where the camera was moved to, in a narrower canvas, too', true, false],
  ])('%s', async (_, isMoved, isWhole) => {
    const seen = await page.evaluate(async moves => {
      await diagramPage.openClinic()
      const { engine, picture } = diagramPage
      engine.fit()
      if (moves) engine.look({ ...engine.camera, x: engine.camera.x + 1 })
      const host = document.querySelector('main')!
      host.style.width = '420px'
      await new Promise(resolve => new ResizeObserver(resolve).observe(host))
      const boxes = Array.from({ length: picture.scene.count }, (_none, card) => engine.boxOf(card)!)
      return boxes.map(({ left, right, top }) => [left, right].map(x => engine.toScreen({ x, y: top }).x))
    }, isMoved)
    expect(seen.flat().every(x => x > 0 && x < 420)).toBe(isWhole)
  })

  it('shows added cards, too, while everything is shown', async () => {
    const edges = await page.evaluate(async () => {
      await diagramPage.openClinic({ hidden: new Set([1, 3]) })
      const { engine, picture } = diagramPage
      engine.fit()
      engine.show({ ...picture, hidden: new Set() })
      const rightEdge = () => engine.toScreen({ x: engine.boxOf(3)!.right, y: 0 }).x
      const before = rightEdge()
      engine.keepWhole()
      return [before, rightEdge()]
    })
    expect(edges[0]).toBeGreaterThan(1000)
    expect(edges[1]).toBeLessThan(1000)
  })

  it('lets texts of near cards be chosen', async () => {
    const point = await page.evaluate(async () => {
      await diagramPage.openClinic()
      return diagramPage.engine.toScreen({ x: 20, y: 15 })
    })
    await page.mouse.dblclick(point.x, point.y)
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('Patient')
    await page.evaluate(() => diagramPage.lookAt(0, 0.6))
    expect(await page.locator('main span').count()).toBe(0)
  })

  it('leaves nothing behind when it is disposed of', async () => {
    const left = await page.evaluate(async () => {
      await diagramPage.openClinic()
      diagramPage.engine.dispose()
      const host = document.querySelector('main')!
      return { children: host.childElementCount, classes: host.className, held: diagramPage.held }
    })
    expect(left).toEqual({ children: 0, classes: '', held: 0 })
  })
})
