import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** The light and the dark colour of each token. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    [light, dark] as const,
  ]),
)

/** Relative luminance by WCAG. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The backgrounds on which each text colour is used. */
const plain = ['bg', 'surface', 'raised', 'hover']
const pairs: Record<string, readonly string[]> = {
  text: [...plain, 'accent-soft', 'danger-soft', 'info-soft'],
  muted: [...plain, 'accent-soft'],
  accent: plain,
  'accent-strong': [...plain, 'accent-soft'],
  danger: [...plain, 'danger-soft'],
  key: ['surface', 'raised'],
  success: ['surface', 'raised'],
  info: [...plain, 'info-soft'],
  'on-accent': ['accent', 'accent-strong'],
}

it.each(Object.entries(pairs))('%s has a contrast of 4.5 on its backgrounds in both themes', (text, backgrounds) => {
  const tooLow = backgrounds.flatMap(background =>
    [0, 1].flatMap(theme => {
      const ratio = contrast(tokens.get(text)?.[theme] ?? '', tokens.get(background)?.[theme] ?? '')
      return ratio >= 4.5 ? [] : [`${text} on ${background}, ${theme === 0 ? 'light' : 'dark'}: ${ratio.toFixed(2)}`]
    }),
  )
  expect(tooLow).toEqual([])
})
