"""Tables that torchtitan, torchtune and LitGPT publish: shapes and options in keys of their own."""
