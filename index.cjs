'use strict'

// The CommonJS entry: the same module object, so there is one set of classes.

// First, because Deno loses the fields of an error that an ES module throws while it is required.
const { failure } = require('./src/js/native.cjs')
if (failure) throw failure

module.exports = require('./src/js/index.js')
