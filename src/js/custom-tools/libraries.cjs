'use strict'

// What tool modules may ask for, loaded when they do. CommonJS, so that bundlers see plain `require`s.

module.exports = {
  /** @returns {typeof import('jiti', { with: { 'resolution-mode': 'require' } })} */
  jiti: () => require('jiti'),
  /** @returns {typeof import('@sinclair/typebox', { with: { 'resolution-mode': 'require' } })} */
  typebox: () => require('@sinclair/typebox'),
  /** @returns {typeof import('zod', { with: { 'resolution-mode': 'require' } })} */
  zod: () => require('zod'),
}
