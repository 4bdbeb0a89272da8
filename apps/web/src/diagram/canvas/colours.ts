import type { Palette } from '@cadmus/diagram/palette'
import styles from './canvas.module.css'

const tints = [1, 2, 3, 4, 5, 6, 7, 8]

/** Colours of an element's theme, resolved: a canvas knows no custom properties. */
export function paletteOf(host: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.className = styles['probe'] ?? ''
  host.append(probe)
  const style = getComputedStyle(probe)
  const colour = (name: string) => {
    probe.style.color = `var(--diagram-${name})`
    return style.color
  }
  const palette: Palette = {
    ground: colour('ground'),
    surface: colour('surface'),
    line: colour('line'),
    text: colour('text'),
    muted: colour('muted'),
    edge: colour('edge'),
    key: colour('key'),
    reference: colour('reference'),
    bar: colour('bar'),
    frame: colour('frame'),
    accent: colour('accent'),
    onAccent: colour('on-accent'),
    tints: tints.map(number => colour(`tint-${number}`)),
    blocks: tints.map(number => colour(`block-${number}`)),
    marks: {
      added: colour('added'),
      removed: colour('removed'),
      changed: colour('changed'),
      problem: colour('problem'),
      unsaved: colour('unsaved'),
    },
  }
  probe.remove()
  return palette
}

/** Colours of exports and prints: those of the light theme. */
export function paperPalette(): Palette {
  const host = document.createElement('div')
  host.className = `${styles['colours']} ${styles['paper']}`
  document.body.append(host)
  const palette = paletteOf(host)
  host.remove()
  return palette
}

/** Calls back when the theme changes, by a setting of the page or of the system. */
export function watchColours(changed: () => void, signal: AbortSignal): void {
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    matchMedia(query).addEventListener('change', changed, { signal })
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
}
