import type { ComponentType } from 'react'

/** What widgets take as an icon; lucide's icons fit. */
export type Icon = ComponentType<{ size?: number; strokeWidth?: number; className?: string; 'aria-hidden'?: boolean }>
