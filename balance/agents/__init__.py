"""Agents that decide, over the contract alone, and the loop that plays games with them."""
